package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.data.LabelNames;
import io.github.flinkps.flink.metrics.ClassMetrics;
import io.github.flinkps.flink.metrics.Confusion;
import io.github.flinkps.flink.metrics.RankedScores;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.types.Row;

/** Measures predictions of classes for a {@link ClassificationEvaluator}. */
final class ClassMeasure implements Measure {
    private static final long serialVersionUID = 1L;

    private final ColumnReader label;
    private final ColumnReader prediction;
    private final ColumnReader raw;
    private final ColumnReader weight;
    private final List<String> values;
    private final List<String> metrics;
    private final RankedScores ranked = new RankedScores();
    private transient LabelNames names;

    /**
     * The table of confusion, of as many classes as the first raw prediction has; null before it.
     */
    private Confusion confusion;

    private int classes;
    private double weightSum;
    private double lossSum;

    /**
     * @param weight null where all rows weigh 1
     * @param values names of the labels; null where these are numbers from 0 on
     */
    ClassMeasure(
            ColumnReader label,
            ColumnReader prediction,
            ColumnReader raw,
            ColumnReader weight,
            List<String> values,
            List<String> metrics) {
        this.label = label;
        this.prediction = prediction;
        this.raw = raw;
        this.weight = weight;
        this.values = values == null ? null : new ArrayList<>(values);
        this.metrics = new ArrayList<>(metrics);
    }

    @Override
    public void add(Row row) {
        double[] scores = scores(row);
        int right = place(label, "labelCol", row);
        double weighs = weight == null ? 1 : weight.number(row, "weightCol");
        if (!(weighs >= 0)) {
            throw weight.refused("weightCol", "a number from 0 on", weighs);
        }
        confusion.add(right, place(prediction, "predictionCol", row), weighs);
        weightSum += weighs;
        if (metrics.contains(ClassificationEvaluator.LOGLOSS)) {
            if (!(scores[right] >= 0 && scores[right] <= 1)) {
                throw raw.refused(
                        "rawPredictionCol", "probabilities for the metric logloss", scores[right]);
            }
            lossSum += weighs * ClassMetrics.loss(scores[right]);
        }
        if (metrics.contains(ClassificationEvaluator.AUC)) {
            ranked.add((float) scores[1], right, (float) weighs);
        }
    }

    /** Returns the raw prediction, of which all rows must have the same length. */
    private double[] scores(Row row) {
        double[] scores = raw.numbers(row, "rawPredictionCol");
        if (confusion == null) {
            if (values != null && values.size() != scores.length || scores.length < 2) {
                throw raw.refused(
                        "rawPredictionCol",
                        values == null
                                ? "a score for each of at least 2 classes"
                                : "a score for each of the " + values.size() + " labelValues",
                        scores.length + " scores");
            }
            classes = scores.length;
            confusion = new Confusion(classes);
            if (classes != 2 && metrics.contains(ClassificationEvaluator.AUC)) {
                throw raw.refused(
                        "rawPredictionCol", "two scores for the metric auc", classes + " scores");
            }
        }
        if (scores.length != classes) {
            throw raw.refused("rawPredictionCol", classes + " scores", scores.length + " scores");
        }
        return scores;
    }

    private int place(ColumnReader column, String param, Row row) {
        Object value = column.value(row);
        int place = value == null ? LabelNames.NONE : place(value, column, param, row);
        if (place == LabelNames.NONE) {
            throw column.refused(
                    param,
                    values == null
                            ? "a class from 0 to "
                                    + (classes - 1)
                                    + " (labelValues names other labels)"
                            : "one of " + String.join(", ", values),
                    value);
        }
        return place;
    }

    private int place(Object value, ColumnReader column, String param, Row row) {
        if (values != null) {
            if (names == null) {
                names = new LabelNames(values.stream().map(List::of).toList());
            }
            return value instanceof String || value instanceof Boolean
                    ? names.find(value.toString())
                    : names.find((float) column.number(row, param));
        }
        double number = column.number(row, param);
        if (number == -1 && classes == 2) {
            return 0;
        }
        return number >= 0 && number < classes && number == (int) number
                ? (int) number
                : LabelNames.NONE;
    }

    @Override
    public Object[] results() {
        return metrics.stream().map(this::result).toArray();
    }

    private Object result(String metric) {
        return switch (metric) {
            case ClassificationEvaluator.ACCURACY ->
                    confusion == null ? null : Measure.defined(confusion.accuracy());
            case ClassificationEvaluator.LOGLOSS -> Measure.defined(lossSum / weightSum);
            case ClassificationEvaluator.AUC -> Measure.defined(ranked.auc());
            case ClassificationEvaluator.CONFUSION ->
                    confusion == null
                            ? null
                            : confusion.table().stream()
                                    .map(each -> each.toArray(new Double[0]))
                                    .toArray(Double[][]::new);
            default -> throw new IllegalStateException(metric);
        };
    }
}
