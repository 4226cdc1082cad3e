package io.github.flinkps.flink.table.function;

import java.util.List;
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
}
