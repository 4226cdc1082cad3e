package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * A model and the features of a call.
 *
 * @param spec of the model
 * @param encoder of rows that hold the features
 * @param types of the features
 * @param predictor which parameters score
 */
record BoundModel(
        ModelSpec spec, RowEncoder encoder, List<LogicalType> types, PredictorSpec predictor) {
    int scoresPerRow() {
        return spec.model().scoresPerRow();
    }
}
