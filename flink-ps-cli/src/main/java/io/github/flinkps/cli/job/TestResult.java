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
 */
public record TestResult(
        long rows,
        long skippedRows,
        Map<String, Double> measures,
        Map<String, Double> constants,
        List<CalibrationBin> calibration) {
    /** Rounding makes nothing worse. */
    private static final double WORSE = 1 + 1e-4;

    public TestResult {
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
        constants = Map.copyOf(constants);
        calibration = List.copyOf(calibration);
    }

    static TestResult of(Evaluation evaluation, long skippedRows) {
        return new TestResult(
                evaluation.rows(),
                skippedRows,
                evaluation.results(),
                evaluation.constants(),
                evaluation.calibration());
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
