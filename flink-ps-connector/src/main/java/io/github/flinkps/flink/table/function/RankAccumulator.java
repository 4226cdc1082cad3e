package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.TopRanks;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.types.DataType;

/**
 * The rows of each label by score, and how many of the first places are looked at. Public as Flink
 * wants what it keeps as state.
 */
public final class RankAccumulator extends ScoreAccumulator {
    /** The number of first places, as the rows say; 0 before the first one. */
    public int places;

    static DataType dataType(DataTypeFactory types) {
        List<DataTypes.Field> fields = new ArrayList<>(views(types));
        fields.add(DataTypes.FIELD("places", DataTypes.INT().notNull()));
        return DataTypes.STRUCTURED(RankAccumulator.class, fields.toArray(new DataTypes.Field[0]));
    }

    /** Returns the first places; null where no row is right. */
    TopRanks top() throws Exception {
        List<Scored> wrong = ascending(negatives);
        List<Scored> right = ascending(positives);
        if (right.isEmpty()) {
            return null;
        }
        TopRanks top = new TopRanks(places);
        int next = wrong.size() - 1;
        for (int i = right.size() - 1; i >= 0; i--) {
            long above = 0;
            while (next >= 0 && wrong.get(next).score() >= right.get(i).score()) {
                above += wrong.get(next--).rows();
            }
            top.add(above, right.get(i).rows());
        }
        return top;
    }
}
