package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param consistency. */
public interface HasConsistency<T> extends WithParams<T> {
    /** How far workers may run apart: BSP, SSP or ASP. */
    Param<String> CONSISTENCY =
            new StringParam(
                    "consistency",
                    "How far workers may run apart.",
                    "BSP",
                    ParamValidators.inArray("BSP", "SSP", "ASP"));

    default String getConsistency() {
        return get(CONSISTENCY);
    }

    default T setConsistency(String value) {
        return set(CONSISTENCY, value);
    }
}
