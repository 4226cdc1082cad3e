package io.github.flinkps.flink.ml.param;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/** Stages with the param predictionCol. */
public interface HasPredictionCol<T> extends WithParams<T> {
    /** The column, a DOUBLE, that predictions are written to. */
    Param<String> PREDICTION_COL =
            new StringParam(
                    "predictionCol", "Prediction column name.", "prediction", Checks.named());

    default String getPredictionCol() {
        return get(PREDICTION_COL);
    }

    default T setPredictionCol(String value) {
        return set(PREDICTION_COL, value);
    }
}
