package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.BinaryMetrics;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Logistic regression by plain SGD, scored before it trains, in the plainest way. */
final class PlainLogistic {
    private final double rate;
    private final Map<String, Double> weights = new HashMap<>();
    private final List<Double> terms = new ArrayList<>();
    private double weightSum;
    private BinaryMetrics ranked = new BinaryMetrics();

    /**
     * A row.
     *
     * @param n seconds from the first row
     * @param site null now and then
     * @param price null now and then
     */
    record Click(int n, String grp, Boolean clicked, String site, Double price, Double weight)
            implements Serializable {
        private static final long serialVersionUID = 1L;

        static List<Click> random(Random random, int count) {
            List<Click> rows = new ArrayList<>();
            for (int n = 0; n < count; n++) {
                int site = random.nextInt(4);
                double price = random.nextInt(10) / 10.0;
                rows.add(
                        new Click(
                                n,
                                "g" + random.nextInt(3),
                                random.nextDouble() < .2 + .5 * price + .1 * site,
                                site == 0 ? null : "s" + site,
                                random.nextInt(10) == 0 ? null : price,
                                1 + random.nextInt(8) / 4.0));
            }
            return rows;
        }

        private Map<String, Double> features() {
            Map<String, Double> features = new HashMap<>();
            features.put("", 1.0);
            features.put("site " + site, 1.0);
            features.put(price == null ? "no price" : "price", price == null ? 1.0 : price);
            return features;
        }
    }

    PlainLogistic(double rate) {
        this.rate = rate;
    }

    private double score(Click row) {
        double z = 0;
        for (Map.Entry<String, Double> feature : row.features().entrySet()) {
            z += weights.getOrDefault(feature.getKey(), 0.0) * feature.getValue();
        }
        return 1 / (1 + Math.exp(-z));
    }

    /** Scores a mini-batch, and trains it. */
    void train(List<Click> rows) {
        Map<String, Double> gradients = new HashMap<>();
        double batchWeight = 0;
        for (Click row : rows) {
            double p = score(row);
            double label = row.clicked() ? 1 : 0;
            terms.add(-row.weight() * Math.log(row.clicked() ? p : 1 - p));
            ranked.add((float) p, (float) label, row.weight().floatValue());
            batchWeight += row.weight();
            row.features()
                    .forEach(
                            (key, value) ->
                                    gradients.merge(
                                            key, row.weight() * (p - label) * value, Double::sum));
        }
        weightSum += batchWeight;
        double mean = rate / batchWeight;
        gradients.forEach((key, sum) -> weights.merge(key, -mean * sum, Double::sum));
    }

    /** Logloss and area of what was trained since the last call. */
    double[] measures() {
        double sum = terms.stream().mapToDouble(Double::doubleValue).sum();
        double[] measures = {sum / weightSum, ranked.auc()};
        terms.clear();
        weightSum = 0;
        ranked = new BinaryMetrics();
        return measures;
    }
}
