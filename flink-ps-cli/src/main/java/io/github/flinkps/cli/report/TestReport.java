package io.github.flinkps.cli.report;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.flinkps.cli.job.TestResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How well a model predicts: {@code rows}, the bad ones that were skipped, and each measure under
 * its name; null for one that the rows do not define. {@code constant} has what the best constant
 * prediction reaches, of the measures that have one.
 */
public record TestReport(
        long rows,
        long skippedRows,
        @JsonAnyGetter Map<String, Double> measures,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> constant) {
    public static TestReport of(TestResult test) {
        Map<String, Double> measures = new LinkedHashMap<>(test.measures());
        measures.replaceAll((name, value) -> value.isNaN() ? null : value);
        return new TestReport(
                test.rows(), test.skippedRows(), measures, new TreeMap<>(test.constants()));
    }
}
