package io.github.flinkps.flink.table.function;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.dataview.MapView;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.types.DataType;

/**
 * The weights of the rows of each label by score, all of them, in views that Flink keeps as entries
 * of its state: a row reads and writes one entry. Public as Flink wants what it keeps as state.
 */
public final class AucAccumulator {
    public MapView<Double, RunningSum> positives = new MapView<>();
    public MapView<Double, RunningSum> negatives = new MapView<>();

    private record Scored(double score, double weight) {}

    static DataType dataType(DataTypeFactory types) {
        return DataTypes.STRUCTURED(
                AucAccumulator.class,
                DataTypes.FIELD("positives", view(types)),
                DataTypes.FIELD("negatives", view(types)));
    }

    /** Returns the type of a view. */
    static DataType view(DataTypeFactory types) {
        return MapView.newMapViewDataType(
                DataTypes.DOUBLE().notNull(), types.createDataType(RunningSum.class).notNull());
    }

    void add(double score, boolean positive, double weight, int times) throws Exception {
        MapView<Double, RunningSum> view = positive ? positives : negatives;
        double key = score + 0.0; // 0 for -0, which is another key but the same score
        RunningSum found = view.get(key);
        RunningSum sum = found == null ? new RunningSum() : found;
        sum.add(times, times * weight);
        store(view, key, sum);
    }

    void add(AucAccumulator other) throws Exception {
        add(positives, other.positives);
        add(negatives, other.negatives);
    }

    private static void add(MapView<Double, RunningSum> to, MapView<Double, RunningSum> from)
            throws Exception {
        for (Map.Entry<Double, RunningSum> entry : from.entries()) {
            RunningSum found = to.get(entry.getKey());
            RunningSum sum = found == null ? new RunningSum() : found;
            sum.add(entry.getValue());
            store(to, entry.getKey(), sum);
        }
    }

    private static void store(MapView<Double, RunningSum> view, double key, RunningSum sum)
            throws Exception {
        if (sum.empty()) {
            view.remove(key);
        } else {
            view.put(key, sum);
        }
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
            while (at < below.size() && below.get(at).score < positive.score) {
                passed.add(1, below.get(at++).weight);
            }
            boolean tie = at < below.size() && below.get(at).score == positive.score;
            double half = tie ? below.get(at).weight / 2 : 0;
            right.add(1, positive.weight * (passed.value() + half));
            weights.add(1, positive.weight);
        }
        while (at < below.size()) {
            passed.add(1, below.get(at++).weight);
        }
        double pairs = weights.value() * passed.value();
        return pairs > 0 ? right.value() / pairs : null;
    }

    private static List<Scored> ascending(MapView<Double, RunningSum> view) throws Exception {
        List<Scored> all = new ArrayList<>();
        for (Map.Entry<Double, RunningSum> entry : view.entries()) {
            if (entry.getValue().rows > 0) {
                all.add(new Scored(entry.getKey(), entry.getValue().value()));
            }
        }
        all.sort(Comparator.comparingDouble(Scored::score));
        return all;
    }
}
