package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.metrics.TopRanks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.types.Row;

/** Measures rankings for a {@link RankingEvaluator}. */
final class RankMeasure implements Measure {
    private static final long serialVersionUID = 1L;

    private final ColumnReader user;
    private final ColumnReader score;
    private final ColumnReader label;
    private final int places;
    private final List<String> metrics;

    /** The numbers of wrong and right rows of each score of each user. */
    private final HashMap<Object, TreeMap<Double, long[]>> users = new HashMap<>();

    RankMeasure(
            ColumnReader user,
            ColumnReader score,
            ColumnReader label,
            int places,
            List<String> metrics) {
        this.user = user;
        this.score = score;
        this.label = label;
        this.places = places;
        this.metrics = new ArrayList<>(metrics);
    }

    @Override
    public void add(Row row) {
        double number = label.number(row, "labelCol");
        if (number != 1 && number != 0 && number != -1) {
            throw label.refused("labelCol", "0, 1 or -1", number);
        }
        double scored = score.number(row, "predictionCol") + 0.0; // 0 for -0, the same score
        users.computeIfAbsent(user.value(row), any -> new TreeMap<>())
                .computeIfAbsent(scored, any -> new long[2])[number == 1 ? 1 : 0]++;
    }

    @Override
    public Object[] results() {
        int measured = 0;
        double precision = 0;
        double ndcg = 0;
        for (TreeMap<Double, long[]> scores : users.values()) {
            TopRanks top = new TopRanks(places);
            scores.descendingMap().values().forEach(each -> top.add(each[0], each[1]));
            if (!Double.isNaN(top.ndcg())) {
                measured++;
                precision += top.precision();
                ndcg += top.ndcg();
            }
        }
        Map<String, Double> found = new HashMap<>();
        found.put(RankingEvaluator.PRECISION, Measure.defined(precision / measured));
        found.put(RankingEvaluator.NDCG, Measure.defined(ndcg / measured));
        return metrics.stream().map(found::get).toArray();
    }
}
