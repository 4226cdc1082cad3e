package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param rawPredictionCol. */
public interface HasRawPredictionCol<T> extends WithParams<T> {
    /** The column, a DenseVector, of a score for every class. */
    Param<String> RAW_PREDICTION_COL =
            new StringParam(
                    "rawPredictionCol",
                    "Raw prediction column name.",
                    "rawPrediction",
                    Checks.named());

    default String getRawPredictionCol() {
        return get(RAW_PREDICTION_COL);
    }

    default T setRawPredictionCol(String value) {
        return set(RAW_PREDICTION_COL, value);
    }
}
