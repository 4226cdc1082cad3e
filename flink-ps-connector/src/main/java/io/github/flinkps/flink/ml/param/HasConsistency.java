package io.github.flinkps.flink.ml.param;

import io.github.flinkps.flink.options.PsOptions;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param consistency. */
public interface HasConsistency<T> extends WithParams<T> {
    /**
     * The distance by which workers may run apart: BSP, SSP, ASP or PREDICATE, which needs options
     * of its own.
     */
    Param<String> CONSISTENCY = OptionParams.choice(PsOptions.CONSISTENCY);

    default String getConsistency() {
        return get(CONSISTENCY);
    }

    default T setConsistency(String value) {
        return set(CONSISTENCY, value);
    }
}
