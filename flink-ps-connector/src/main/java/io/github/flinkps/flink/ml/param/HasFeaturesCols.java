package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringArrayParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param featuresCols. */
public interface HasFeaturesCols<T> extends WithParams<T> {
    /** Several columns of features, instead of {@code featuresCol}; null: that one. */
    Param<String[]> FEATURES_COLS =
            new StringArrayParam(
                    "featuresCols",
                    "Feature columns, instead of the one of featuresCol.",
                    null,
                    Checks.unsetOr(Checks.someNamed()));

    default String[] getFeaturesCols() {
        return get(FEATURES_COLS);
    }

    default T setFeaturesCols(String... value) {
        return set(FEATURES_COLS, value);
    }
}
