package io.github.flinkps.examples;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.util.List;
import java.util.Map;

/**
 * A model of one's own: the quantile {@code q} of labels given features, a sum of weights that
 * minimises the pinball loss (Koenker and Bassett: Regression quantiles, Econometrica 1978).
 */
public record QuantileRegression(double q, UpdateSpec update) implements TrainingModel {
    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return "quantile-regression";
    }

    @Override
    public Map<String, String> options() {
        return Map.of("q", Double.toString(q));
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(TableSpec.sparse("weights", 1, update));
    }

    @Override
    public Labels labels() {
        return Labels.REAL;
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        keys.add(0, rows.keys(), rows.rowStart(from), rows.rowStart(to));
    }

    @Override
    public double gradients(RowBatch rows, int from, int to, Parameters pulled, Gradients out) {
        float[] predicted = new float[to - from];
        score(rows, from, to, pulled, predicted, 0);
        double loss = 0;
        for (int row = from, at = 0; row < to; row++) {
            float missed = rows.labels()[row] - predicted[row - from];
            float weight = rows.weights() == null ? 1 : rows.weights()[row];
            double slope = weight * (missed > 0 ? -q : 1 - q);
            loss -= missed * slope;
            for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++, at++) {
                out.values(0)[pulled.positions(0)[at]] += (float) slope;
            }
        }
        return loss;
    }

    @Override
    public void score(RowBatch rows, int from, int to, Parameters pulled, float[] out, int at) {
        for (int row = from, entry = 0; row < to; row++) {
            out[at + row - from] = 0;
            for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++, entry++) {
                out[at + row - from] += pulled.values(0)[pulled.positions(0)[entry]];
            }
        }
    }
}
