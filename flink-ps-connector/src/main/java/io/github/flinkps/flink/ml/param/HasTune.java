package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.BooleanParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param tune. */
public interface HasTune<T> extends WithParams<T> {
    /** Makes {@code fit} read the table first, in a job of its own. */
    Param<Boolean> TUNE =
            new BooleanParam(
                    "tune",
                    "Search for options by the rows, in a job that fit runs: scales of columns of"
                            + " numbers, and for linear models, factorization machines, networks"
                            + " and ratings with adagrad passes, rows of a mini-batch, rate, start"
                            + " and l2; each unless it is set.",
                    false);

    default Boolean getTune() {
        return get(TUNE);
    }

    default T setTune(Boolean value) {
        return set(TUNE, value);
    }
}
