package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringArrayParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param metricsNames. */
public interface HasMetricsNames<T> extends WithParams<T> {
    /** The names of the metrics to measure; null for the usual ones of the evaluator. */
    Param<String[]> METRICS_NAMES =
            new StringArrayParam(
                    "metricsNames",
                    "Names of the metrics to measure, each of which is a column.",
                    null,
                    Checks.unsetOr(Checks.someNamed()));

    default String[] getMetricsNames() {
        return get(METRICS_NAMES);
    }

    default T setMetricsNames(String... value) {
        return set(METRICS_NAMES, value);
    }
}
