package io.github.flinkps.cli.report;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import io.github.flinkps.cli.job.TestResult;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well a model predicts: {@code rows}, the bad ones that were skipped, and each measure under
 * its name; null for one that the rows do not define.
 */
public record TestReport(long rows, long skippedRows, @JsonAnyGetter Map<String, Double> measures) {
    public static TestReport of(TestResult test) {
        Map<String, Double> measures = new LinkedHashMap<>(test.measures());
        measures.replaceAll((name, value) -> value.isNaN() ? null : value);
        return new TestReport(test.rows(), test.skippedRows(), measures);
    }
}
