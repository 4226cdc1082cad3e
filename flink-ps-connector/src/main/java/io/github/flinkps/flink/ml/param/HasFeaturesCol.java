package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param featuresCol. */
public interface HasFeaturesCol<T> extends WithParams<T> {
    /** The column of features: a Vector, an array, or any type that is a feature in SQL. */
    Param<String> FEATURES_COL =
            new StringParam("featuresCol", "Features column name.", "features", Checks.named());

    default String getFeaturesCol() {
        return get(FEATURES_COL);
    }

    default T setFeaturesCol(String value) {
        return set(FEATURES_COL, value);
    }
}
