package io.github.flinkps.flink.algorithm;

import io.github.flinkps.flink.data.Labels;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The loss of option {@code task}. In regression labels are learned less a mean and in a unit, so
 * that first values, learning rates and strengths suit labels of any size. Losses are those of the
 * labels as they are, slopes those of the loss in that unit.
 *
 * @param point the loss of what is learned
 * @param mean of the labels, which is what is predicted before training; 0 in classification
 * @param unit of the labels; 1 in classification
 */
record TaskLoss(PointLoss point, double mean, double unit) implements Serializable {
    static final ModelOption TASK =
            ModelOption.text(
                    "task",
                    "classification",
                    "classification (labels 0 and 1) or regression (labels are any numbers)");
    static final ModelOption LABEL_MEAN =
            ModelOption.number(
                    "label-mean",
                    "0",
                    "with task regression, what is predicted before training, such as the mean of"
                            + " the labels");
    static final ModelOption LABEL_UNIT =
            ModelOption.number(
                    "label-unit",
                    "1",
                    "with task regression, the unit in which labels are learned, such as their"
                            + " deviation; learning rate and L2 are for labels in it");

    private static final long serialVersionUID = 1L;

    /** Reads the options. */
    static TaskLoss of(OptionReader reader) {
        double mean = reader.number(LABEL_MEAN.name(), 0, -Float.MAX_VALUE, Float.MAX_VALUE);
        double unit = reader.number(LABEL_UNIT.name(), 1, Float.MIN_NORMAL, Float.MAX_VALUE);
        if (isRegression(reader)) {
            return new TaskLoss(PointLoss.SQUARED, mean, unit);
        }
        if (mean != 0 || unit != 1) {
            throw new IllegalArgumentException(
                    (mean == 0 ? LABEL_UNIT : LABEL_MEAN).name()
                            + " goes with task regression only");
        }
        return new TaskLoss(PointLoss.LOGISTIC, mean, unit);
    }

    private static boolean isRegression(OptionReader reader) {
        String task =
                reader.choice(
                        TASK.name(), "classification", List.of("classification", "regression"));
        return task.equals("regression");
    }

    /** Returns how defaults of a model of these options follow from its rows. */
    static Optional<TuningRule> tuning(TuningRule.Kind kind, Map<String, String> given) {
        return Optional.of(
                new TuningRule(kind, Optional.empty(), isRegression(new OptionReader(given))));
    }

    /** Returns the options, each with its value. */
    Map<String, String> options() {
        return Map.of(
                TASK.name(),
                isRegression() ? "regression" : "classification",
                LABEL_MEAN.name(),
                Double.toString(mean),
                LABEL_UNIT.name(),
                Double.toString(unit));
    }

    boolean isRegression() {
        return point == PointLoss.SQUARED;
    }

    Labels labels() {
        return isRegression() ? Labels.REAL : Labels.BINARY;
    }

    private double own(double label) {
        return (label - mean) / unit;
    }

    double loss(double z, double label) {
        return unit * unit * point.loss(z, own(label));
    }

    /** Returns the derivative by {@code z} of the loss in the unit of the labels. */
    double slope(double z, double label) {
        return point.slope(z, own(label));
    }

    double score(double z) {
        return mean + unit * point.score(z);
    }
}
