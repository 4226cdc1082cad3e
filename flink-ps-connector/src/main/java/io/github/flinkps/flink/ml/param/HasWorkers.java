package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param workers. */
public interface HasWorkers<T> extends WithParams<T> {
    /** Number of workers; null: the parallelism of the rows. */
    Param<Integer> WORKERS =
            new IntParam(
                    "workers",
                    "Number of workers; the parallelism of the rows unless set.",
                    null,
                    Checks.unsetOr(ParamValidators.gtEq(1)));

    default Integer getWorkers() {
        return get(WORKERS);
    }

    default T setWorkers(Integer value) {
        return set(WORKERS, value);
    }
}
