package io.github.flinkps.flink.table.function;

import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * A model and the features of a call.
 *
 * @param types of the features
 */
record BoundModel(FeatureScorer scorer, List<LogicalType> types) {
    int scoresPerRow() {
        return scorer.scoresPerRow();
    }

    /** Returns what a prediction is: a score, or an array of them. */
    DataType output() {
        DataType score = DataTypes.DOUBLE().notNull();
        return scoresPerRow() == 1 ? score : DataTypes.ARRAY(score).notNull();
    }
}
