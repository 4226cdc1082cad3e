package io.github.flinkps.flink.table.function;

import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.types.DataType;

/** The scores of which the area under the ROC curve is told. Public as its superclass is. */
public final class AucAccumulator extends ScoreAccumulator {
    static DataType dataType(DataTypeFactory types) {
        return DataTypes.STRUCTURED(
                AucAccumulator.class, views(types).toArray(new DataTypes.Field[0]));
    }

    /**
     * Returns the share of the pairs of a positive and a negative row in which the positive one
     * scores higher, ties counting half, rows drawn by weight; null without such pairs.
     */
    Double auc() throws Exception {
        List<Scored> below = ascending(negatives);
        RunningSum right = new RunningSum();
        RunningSum weights = new RunningSum();
        RunningSum passed = new RunningSum();
        int at = 0;
        for (Scored positive : ascending(positives)) {
            while (at < below.size() && below.get(at).score() < positive.score()) {
                passed.add(1, below.get(at++).weight());
            }
            boolean tie = at < below.size() && below.get(at).score() == positive.score();
            double half = tie ? below.get(at).weight() / 2 : 0;
            right.add(1, positive.weight() * (passed.value() + half));
            weights.add(1, positive.weight());
        }
        while (at < below.size()) {
            passed.add(1, below.get(at++).weight());
        }
        double pairs = weights.value() * passed.value();
        return pairs > 0 ? right.value() / pairs : null;
    }
}
