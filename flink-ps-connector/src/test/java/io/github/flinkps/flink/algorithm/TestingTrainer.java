package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.metrics.Evaluation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Trains a model in memory, one mini-batch after the other, by Adagrad. */
final class TestingTrainer {
    private final TrainingModel model;
    private final double rate;
    private final List<Map<Long, float[]>> values = new ArrayList<>();
    private final List<Map<Long, float[]>> sums = new ArrayList<>();
    private long batches;

    TestingTrainer(TrainingModel model, double rate) {
        this.model = model;
        this.rate = rate;
        for (int table = 0; table < model.tables().size(); table++) {
            values.add(new HashMap<>());
            sums.add(new HashMap<>());
        }
    }

    /** Trains on all rows several times; the mean loss of the last time. */
    double train(RowBatch rows, int batchSize, int passes) {
        double loss = 0;
        for (int pass = 0; pass < passes; pass++) {
            loss = 0;
            for (int from = 0; from < rows.rows(); from += batchSize) {
                loss += step(rows, from, Math.min(rows.rows(), from + batchSize));
            }
        }
        return loss / rows.weightSum(0, rows.rows());
    }

    private double step(RowBatch rows, int from, int to) {
        TestingParameters pulled = pull(rows, from, to);
        Gradients gradients = pulled.zeroedGradients();
        double loss = model.gradients(rows, from, to, pulled, gradients);
        for (int table = 0; table < values.size(); table++) {
            int width = model.tables().get(table).width();
            for (Map.Entry<Long, Integer> row : pulled.rowsOf(table).entrySet()) {
                float[] value = row(table, row.getKey());
                float[] sum =
                        sums.get(table).computeIfAbsent(row.getKey(), key -> new float[width]);
                for (int i = 0; i < width; i++) {
                    float gradient = gradients.values(table)[row.getValue() * width + i];
                    sum[i] += gradient * gradient;
                    value[i] -= (float) (rate * gradient / (Math.sqrt(sum[i]) + 1e-8));
                }
            }
        }
        return loss;
    }

    private TestingParameters pull(RowBatch rows, int from, int to) {
        TestingParameters pulled = new TestingParameters(model, rows, from, to, batches++);
        for (int table = 0; table < values.size(); table++) {
            int width = model.tables().get(table).width();
            for (Map.Entry<Long, Integer> row : pulled.rowsOf(table).entrySet()) {
                System.arraycopy(
                        row(table, row.getKey()),
                        0,
                        pulled.values(table),
                        row.getValue() * width,
                        width);
            }
        }
        return pulled;
    }

    /** The values of a key. */
    float[] row(int table, long key) {
        return values.get(table)
                .computeIfAbsent(
                        key,
                        born -> {
                            TableSpec spec = model.tables().get(table);
                            float[] row = new float[spec.width()];
                            RowInitializer.of(spec).fill(born, row, 0, row.length);
                            return row;
                        });
    }

    /** The scores of all rows. */
    float[] scores(RowBatch rows) {
        float[] scores = new float[rows.rows() * model.scoresPerRow() + 3];
        model.score(rows, 0, rows.rows(), pull(rows, 0, rows.rows()), scores, 3);
        return java.util.Arrays.copyOfRange(scores, 3, scores.length);
    }

    /** Returns the measures of the rows by the model's own evaluation. */
    Map<String, Double> evaluate(RowBatch rows) {
        Evaluation evaluation = model.evaluation();
        float[] scores = scores(rows);
        for (int row = 0; row < rows.rows(); row++) {
            evaluation.add(
                    scores,
                    row * model.scoresPerRow(),
                    rows.labels()[row],
                    rows.weights() == null ? 1 : rows.weights()[row]);
        }
        return evaluation.results();
    }
}
