package io.github.flinkps.flink.metrics;

import java.util.List;
import java.util.Map;

/** Measures scored rows as they come. Not thread-safe. */
public interface Evaluation {
    /**
     * Adds a row.
     *
     * @param scores holds the row's scores from {@code at} on
     * @param label as the model sees it
     * @param weight of the row, at least 0
     * @throws IllegalArgumentException for what cannot be a score or label of this kind
     */
    void add(float[] scores, int at, float label, float weight);

    /** Returns the number of rows added. */
    long rows();

    /**
     * Returns the measures by name, in the order in which people want to see them; NaN for one that
     * these rows do not define.
     */
    Map<String, Double> results();

    /**
     * Returns what the best constant prediction reaches on these rows, by the names of the measures
     * for which there is one. A model that is worse has learned nothing.
     */
    default Map<String, Double> constants() {
        return Map.of();
    }

    /**
     * Returns the deciles of the rows by their score, the lowest first; rows of one score are in
     * one of them. None where scores are no probabilities.
     */
    default List<CalibrationBin> calibration() {
        return List.of();
    }

    /**
     * Returns a list for each of several classes, of the weights of its rows by the class that was
     * predicted. None for other labels.
     */
    default List<List<Double>> confusion() {
        return List.of();
    }
}
