package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param workers. */
public interface HasWorkers<T> extends WithParams<T> {
    /** Number of workers; null: the parallelism of the rows. */
    Param<Integer> WORKERS = OptionParams.of(PsOptions.WORKERS, IntParam::new);

    default Integer getWorkers() {
        return get(WORKERS);
    }

    default T setWorkers(Integer value) {
        return set(WORKERS, value);
    }
}
