package io.github.flinkps.cli.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well a model predicts rows.
 *
 * @param rows their number
 * @param skippedRows bad rows that were left out
 * @param measures by name, in the order to show them; NaN for one these rows do not define
 */
public record TestResult(long rows, long skippedRows, Map<String, Double> measures) {
    public TestResult {
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
    }
}
