package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param weightCol. */
public interface HasWeightCol<T> extends WithParams<T> {
    /** The column of the rows' weights; null: rows weigh 1. */
    Param<String> WEIGHT_COL =
            new StringParam(
                    "weightCol", "Weight column name.", null, Checks.unsetOr(Checks.named()));

    default String getWeightCol() {
        return get(WEIGHT_COL);
    }

    default T setWeightCol(String value) {
        return set(WEIGHT_COL, value);
    }
}
