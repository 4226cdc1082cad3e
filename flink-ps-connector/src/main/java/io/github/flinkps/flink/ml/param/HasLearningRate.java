package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.DoubleParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param learningRate. */
public interface HasLearningRate<T> extends WithParams<T> {
    /** The optimizer's learning rate; null: its default. */
    Param<Double> LEARNING_RATE =
            new DoubleParam(
                    "learningRate",
                    "Learning rate of the optimizer; its own default unless set.",
                    null,
                    Checks.unsetOr(Checks.finite(ParamValidators.gt(0))));

    default Double getLearningRate() {
        return get(LEARNING_RATE);
    }

    default T setLearningRate(Double value) {
        return set(LEARNING_RATE, value);
    }
}
