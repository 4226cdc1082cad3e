package io.github.flinkps.flink.table.function;

import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * A model and the features of a call.
 *
 * @param types of the features
 * @param labels of the model; null where scores are wanted
 */
record BoundModel(FeatureScorer scorer, List<LogicalType> types, ModelLabels labels) {
    int scoresPerRow() {
        return scorer.scoresPerRow();
    }

    /** Returns what a prediction is: a label, a score, or an array of scores. */
    DataType output() {
        if (labels != null) {
            return labels.output();
        }
        DataType score = DataTypes.DOUBLE().notNull();
        return scoresPerRow() == 1 ? score : DataTypes.ARRAY(score).notNull();
    }
}
