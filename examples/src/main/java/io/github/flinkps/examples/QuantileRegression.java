package io.github.flinkps.examples;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.util.List;
import java.util.Map;

/**
 * A model of one's own: the quantile {@code q} of labels given a category, which minimises the
 * pinball loss (Koenker and Bassett: Regression quantiles, Econometrica 1978). Each row has one
 * key; its table is of width 1.
 */
public record QuantileRegression(double q, List<TableSpec> tables) implements TrainingModel {
    @Override
    public String name() {
        return "quantile-regression";
    }

    @Override
    public Map<String, String> options() {
        return Map.of("q", Double.toString(q));
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
        double loss = 0;
        for (int row = from; row < to; row++) {
            int key = pulled.positions(0)[row - from];
            float missed = rows.labels()[row] - pulled.values(0)[key];
            float weight = rows.weights() == null ? 1 : rows.weights()[row];
            double slope = weight * (missed > 0 ? -q : 1 - q);
            out.values(0)[key] += (float) slope;
            loss -= missed * slope;
        }
        return loss;
    }

    @Override
    public void score(RowBatch rows, int from, int to, Parameters pulled, float[] out, int at) {
        for (int row = from; row < to; row++) {
            out[at + row - from] = pulled.values(0)[pulled.positions(0)[row - from]];
        }
    }
}
