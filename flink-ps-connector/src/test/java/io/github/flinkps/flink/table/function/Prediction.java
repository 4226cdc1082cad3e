package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A row to measure, and the measures computed in the plainest way.
 *
 * @param score null now and then
 * @param label 0 or 1, null now and then
 * @param weight at least 0, null now and then
 */
record Prediction(String group, long millis, Double score, Integer label, Double weight) {
    /** Groups of random rows; the last has but one label. */
    static final List<String> GROUPS = List.of("a", "b", "one label");

    static Prediction random(Random random) {
        String group = GROUPS.get(random.nextInt(GROUPS.size()));
        boolean tied = random.nextBoolean();
        return new Prediction(
                group,
                random.nextInt(60_000),
                orNull(random, tied ? random.nextInt(9) / 8.0 : random.nextDouble()),
                orNull(random, group.equals("one label") ? 0 : random.nextInt(2)),
                orNull(random, random.nextInt(30) / 10.0));
    }

    static List<Prediction> random(Random random, int count) {
        List<Prediction> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(random(random));
        }
        return rows;
    }

    private static <T> T orNull(Random random, T value) {
        return random.nextInt(20) == 0 ? null : value;
    }

    /** The same row of weight 1. */
    private Prediction plain() {
        return new Prediction(group, millis, score, label, 1.0);
    }

    private static List<Prediction> whole(List<Prediction> rows, boolean weighted) {
        return rows.stream()
                .map(row -> weighted ? row : row.plain())
                .filter(row -> row.score != null && row.label != null && row.weight != null)
                .toList();
    }

    /** How many places of a ranking are looked at. */
    static final int PLACES = 5;

    /**
     * Area, loss and error without weights, then with them, then precision and gain of the first
     * places and accuracy; null for one that the rows do not define.
     */
    static List<Double> measures(List<Prediction> rows) {
        List<Double> all = new ArrayList<>();
        for (boolean weighted : new boolean[] {false, true}) {
            List<Prediction> whole = whole(rows, weighted);
            all.add(auc(whole));
            all.add(mean(whole, row -> BinaryMetrics.loss(row.score, row.label == 1)));
            Double square = mean(whole, row -> Math.pow(row.score - row.label, 2));
            all.add(square == null ? null : Math.sqrt(square));
        }
        List<Prediction> ranked = ranked(whole(rows, false));
        boolean anyRight = ranked.stream().anyMatch(row -> row.label == 1);
        all.add(anyRight ? hits(ranked) / PLACES : null);
        all.add(anyRight ? gain(ranked) / gain(ideal(ranked)) : null);
        all.add(mean(ranked, row -> row.score.equals((double) row.label) ? 1 : 0));
        return all;
    }

    /** The highest score first, and of equal ones label 0. */
    private static List<Prediction> ranked(List<Prediction> rows) {
        return rows.stream()
                .sorted(
                        Comparator.comparingDouble((Prediction row) -> -row.score)
                                .thenComparing(Prediction::label))
                .toList();
    }

    private static List<Prediction> ideal(List<Prediction> rows) {
        return rows.stream().sorted(Comparator.comparing(row -> -row.label)).toList();
    }

    private static double hits(List<Prediction> ranked) {
        return ranked.stream().limit(PLACES).mapToInt(Prediction::label).sum();
    }

    private static double gain(List<Prediction> ranked) {
        double gain = 0;
        for (int i = 0; i < Math.min(PLACES, ranked.size()); i++) {
            gain += ranked.get(i).label * Math.log(2) / Math.log(i + 2);
        }
        return gain;
    }

    private static Double auc(List<Prediction> rows) {
        double right = 0;
        double pairs = 0;
        for (Prediction positive : rows) {
            for (Prediction negative : rows) {
                if (positive.label == 1 && negative.label == 0) {
                    double weight = positive.weight * negative.weight;
                    int order = Double.compare(positive.score, negative.score);
                    right += weight * (1 + order) / 2;
                    pairs += weight;
                }
            }
        }
        return pairs > 0 ? right / pairs : null;
    }

    private interface Term {
        double of(Prediction row);
    }

    private static Double mean(List<Prediction> rows, Term term) {
        double sum = 0;
        double weights = 0;
        for (Prediction row : rows) {
            sum += row.weight * term.of(row);
            weights += row.weight;
        }
        return weights > 0 ? sum / weights : null;
    }
}
