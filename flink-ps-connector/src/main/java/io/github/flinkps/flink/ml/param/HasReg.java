package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.DoubleParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param reg. */
public interface HasReg<T> extends WithParams<T> {
    /** The strength of the regularisation; null: none, or by the rows. */
    Param<Double> REG =
            new DoubleParam(
                    "reg",
                    "Regularization parameter; 0 unless set, or by the rows with tune.",
                    null,
                    Checks.unsetOr(Checks.finite(ParamValidators.gtEq(0))));

    default Double getReg() {
        return get(REG);
    }

    default T setReg(Double value) {
        return set(REG, value);
    }
}
