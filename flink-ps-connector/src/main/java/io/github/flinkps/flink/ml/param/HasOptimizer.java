package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param optimizer. */
public interface HasOptimizer<T> extends WithParams<T> {
    /** Name of the optimizer, such as {@code ftrl}; null: the algorithm's own. */
    Param<String> OPTIMIZER =
            new StringParam(
                    "optimizer", "Name of the optimizer.", null, Checks.unsetOr(Checks.named()));

    default String getOptimizer() {
        return get(OPTIMIZER);
    }

    default T setOptimizer(String value) {
        return set(OPTIMIZER, value);
    }
}
