package io.github.flinkps.cli.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.flinkps.cli.job.TrainResult;

/**
 * The report that {@code train --report} writes.
 *
 * @param trainRows of one pass, without validation rows
 * @param skippedRows bad rows that were left out
 * @param seconds of the whole command
 * @param trainSeconds from the first byte read to the last push acknowledged
 * @param rowsPerSecond trainRows x passes / trainSeconds
 * @param bytesSentPerRow per row and pass, as encoded
 * @param bytesReceivedPerRow per row and pass, as encoded
 * @param validation null, and not written, if there are no validation rows
 * @param test null if there are no test rows
 * @param model null unless saved
 */
public record TrainReport(
        long trainRows,
        long skippedRows,
        int epochs,
        double seconds,
        double trainSeconds,
        double rowsPerSecond,
        double bytesSentPerRow,
        double bytesReceivedPerRow,
        @JsonInclude(JsonInclude.Include.NON_NULL) ValidationReport validation,
        TestReport test,
        ModelReport model) {
    public static TrainReport of(TrainResult result, double seconds) {
        return new TrainReport(
                result.rows().trained(),
                result.rows().skipped(),
                result.epochs(),
                seconds,
                result.seconds().train(),
                result.rowsPerSecond(),
                result.bytesSentPerRow(),
                result.bytesReceivedPerRow(),
                ValidationReport.of(result),
                result.test() == null ? null : TestReport.of(result.test()),
                result.model() == null ? null : ModelReport.of(result.model()));
    }
}
