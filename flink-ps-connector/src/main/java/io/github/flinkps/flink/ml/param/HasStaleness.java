package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param staleness. */
public interface HasStaleness<T> extends WithParams<T> {
    /**
     * The mini-batches that a worker may be ahead of what it reads. For consistency SSP alone,
     * which needs it.
     */
    Param<Integer> STALENESS = OptionParams.of(PsOptions.STALENESS, IntParam::new);

    default Integer getStaleness() {
        return get(STALENESS);
    }

    default T setStaleness(Integer value) {
        return set(STALENESS, value);
    }
}
