package io.github.flinkps.cli.report;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.flinkps.cli.job.TestResult;
import io.github.flinkps.flink.metrics.CalibrationBin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The quality of a model's predictions: {@code rows}, the bad ones that were skipped, and each
 * measure under its name; null for one that the rows do not define. {@code constant} has what the
 * best constant prediction reaches, of the measures that have one; {@code calibration} the deciles
 * of the rows by their score, where that is a probability. {@code confusion} has the weights of the
 * rows of each of several classes, by the class that was predicted.
 */
public record TestReport(
        long rows,
        long skippedRows,
        @JsonAnyGetter Map<String, Double> measures,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> constant,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CalibrationBin> calibration,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Map<String, Double>> confusion) {
    public static TestReport of(TestResult test) {
        Map<String, Double> measures = new LinkedHashMap<>(test.measures());
        measures.replaceAll((name, value) -> value.isNaN() ? null : value);
        return new TestReport(
                test.rows(),
                test.skippedRows(),
                measures,
                new TreeMap<>(test.constants()),
                test.calibration(),
                test.confusion());
    }
}
