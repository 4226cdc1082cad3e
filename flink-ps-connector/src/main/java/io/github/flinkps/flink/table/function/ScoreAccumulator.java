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
 * The rows of each label by score with their weights, all of them, in views that Flink keeps as
 * entries of its state: a row reads and writes one entry. Public as Flink wants what it keeps as
 * state.
 */
public abstract class ScoreAccumulator {
    public MapView<Double, RunningSum> positives = new MapView<>();
    public MapView<Double, RunningSum> negatives = new MapView<>();

    /**
     * A score.
     *
     * @param score itself
     * @param rows that have it
     * @param weight of them
     */
    record Scored(double score, long rows, double weight) {}

    /** Returns the fields of the views. */
    static List<DataTypes.Field> views(DataTypeFactory types) {
        return List.of(
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

    void add(ScoreAccumulator other) throws Exception {
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

    /** Returns the scores of a label, the lowest first. */
    static List<Scored> ascending(MapView<Double, RunningSum> view) throws Exception {
        List<Scored> all = new ArrayList<>();
        for (Map.Entry<Double, RunningSum> entry : view.entries()) {
            if (entry.getValue().rows > 0) {
                RunningSum sum = entry.getValue();
                all.add(new Scored(entry.getKey(), sum.rows, sum.value()));
            }
        }
        all.sort(Comparator.comparingDouble(Scored::score));
        return all;
    }
}
