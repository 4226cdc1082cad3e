package io.github.flinkps.flink.table;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.metrics.MarginMetrics;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Says which label the scores of a row speak for. Immutable. */
public final class PredictedLabel implements Serializable {
    private static final long serialVersionUID = 1L;

    private final boolean binary;
    private final boolean margins;

    /**
     * Predicts the labels of a model that classifies.
     *
     * @param model whose labels are two or more classes, not any number
     */
    public PredictedLabel(TrainingModel model) {
        this.binary = model.labels().kind() == Labels.Kind.BINARY;
        this.margins = model.evaluation() instanceof MarginMetrics;
    }

    /**
     * Returns the number of the likeliest label, the first of equals; of two labels the second one
     * is the likelier from half on.
     *
     * @param scores of a row, of which there is one where there are two labels
     */
    public int of(double[] scores) {
        if (binary) {
            return (margins ? scores[0] > 0 : scores[0] >= 0.5) ? 1 : 0;
        }
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        return best;
    }

    /** Returns scores of all labels, by their numbers. */
    public double[] all(double[] scores) {
        return binary ? new double[] {margins ? -scores[0] : 1 - scores[0], scores[0]} : scores;
    }

    /** Returns the texts by which a model's rows name its labels, or else their numbers. */
    public static List<String> names(ModelSpec spec) {
        List<List<String>> names = spec.labels().names();
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < spec.labels().mostTexts(); i++) {
            shown.add(names.isEmpty() ? Integer.toString(i) : names.get(i).get(0));
        }
        return shown;
    }
}
