package io.github.flinkps.cli.job;

import io.github.flinkps.flink.metrics.CalibrationBin;
import io.github.flinkps.flink.metrics.Evaluation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The quality of a model's predictions on rows.
 *
 * @param rows their number
 * @param skippedRows bad rows that were left out
 * @param measures by name, in the order to show them; NaN for one these rows do not define
 * @param constants what the best constant prediction reaches, of the measures that have one
 * @param calibration deciles of the rows by their score, where that is a probability
 * @param confusion of several classes by their names: the weights of the rows of each, by the class
 *     that was predicted
 */
public record TestResult(
        long rows,
        long skippedRows,
        Map<String, Double> measures,
        Map<String, Double> constants,
        List<CalibrationBin> calibration,
        Map<String, Map<String, Double>> confusion) {
    /** Rounding makes nothing worse. */
    private static final double WORSE = 1 + 1e-4;

    public TestResult {
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
        constants = Map.copyOf(constants);
        calibration = List.copyOf(calibration);
        confusion = Collections.unmodifiableMap(new LinkedHashMap<>(confusion));
    }

    /**
     * Returns what was measured.
     *
     * @param classes names of the classes, if there are several
     */
    static TestResult of(Evaluation evaluation, long skippedRows, List<String> classes) {
        return new TestResult(
                evaluation.rows(),
                skippedRows,
                evaluation.results(),
                evaluation.constants(),
                evaluation.calibration(),
                named(evaluation.confusion(), classes));
    }

    private static Map<String, Map<String, Double>> named(
            List<List<Double>> confusion, List<String> classes) {
        Map<String, Map<String, Double>> named = new LinkedHashMap<>();
        for (int label = 0; label < confusion.size(); label++) {
            Map<String, Double> row = new LinkedHashMap<>();
            for (int predicted = 0; predicted < confusion.size(); predicted++) {
                row.put(classes.get(predicted), confusion.get(label).get(predicted));
            }
            named.put(classes.get(label), row);
        }
        return named;
    }

    /**
     * Returns the measures in which the model is worse than a constant, in their order. Rows that
     * all have one label, of which a constant misses nothing, tell nothing of a model.
     */
    public List<String> failed() {
        return measures.keySet().stream()
                .filter(
                        name ->
                                constants.getOrDefault(name, 0.0) > 0
                                        && measures.get(name) > constants.get(name) * WORSE)
                .toList();
    }
}
