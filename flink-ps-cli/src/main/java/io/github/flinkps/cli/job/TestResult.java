package io.github.flinkps.cli.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How well a model predicts rows.
 *
 * @param rows their number
 * @param skippedRows bad rows that were left out
 * @param measures by name, in the order to show them; NaN for one these rows do not define
 * @param constants what the best constant prediction reaches, of the measures that have one
 */
public record TestResult(
        long rows, long skippedRows, Map<String, Double> measures, Map<String, Double> constants) {
    /** Rounding makes nothing worse. */
    private static final double WORSE = 1 + 1e-4;

    public TestResult {
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
        constants = Map.copyOf(constants);
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
