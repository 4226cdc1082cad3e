package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param keptVersions. */
public interface HasKeptVersions<T> extends WithParams<T> {
    /** Newest versions whose files are kept; older ones are removed. */
    Param<Integer> KEPT_VERSIONS =
            new IntParam(
                    "keptVersions",
                    "Newest versions whose files are kept.",
                    10,
                    ParamValidators.gt(1));

    default Integer getKeptVersions() {
        return get(KEPT_VERSIONS);
    }

    default T setKeptVersions(Integer value) {
        return set(KEPT_VERSIONS, value);
    }
}
