package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param maxIter. */
public interface HasMaxIter<T> extends WithParams<T> {
    /**
     * Passes over the rows; null: 20, or by the rows. (Of Flink ML's own linear models an iteration
     * is one mini-batch.)
     */
    Param<Integer> MAX_ITER =
            new IntParam(
                    "maxIter",
                    "Maximum number of iterations: passes over the rows; 20 unless set, or by the"
                            + " rows with tune.",
                    null,
                    Checks.unsetOr(OptionParams.check(PsOptions.EPOCHS)));

    default Integer getMaxIter() {
        return get(MAX_ITER);
    }

    default T setMaxIter(Integer value) {
        return set(MAX_ITER, value);
    }
}
