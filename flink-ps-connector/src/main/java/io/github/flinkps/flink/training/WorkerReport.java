package io.github.flinkps.flink.training;

import java.util.Locale;
import java.util.StringJoiner;

/**
 * The report of what a worker has done, emitted once at its end. It is a record of arrays and
 * numbers, so that Flink serializes it as a plain object.
 *
 * @param worker its index
 * @param workers their number
 * @param rows of its input
 * @param validationRows those of them that did not train but validate
 * @param skippedRows bad rows that its readers left out
 * @param epochs passes over them that were made
 * @param batches mini-batches trained, over all passes
 * @param lossSums per pass the sum of the rows' losses, each times its weight, as they were when
 *     the row was trained
 * @param weightSums per pass the sum of the rows' weights
 * @param validationLosses per pass the mean loss of the validation rows, of all workers; empty
 *     without such rows
 * @param bytesSent frames of this worker, as encoded
 * @param bytesReceived frames of this worker, as encoded
 * @param pushedRows rows of tables that passed its push filter, each as often as it was pushed; 0
 *     without a filter
 * @param retainedRows those that the filter retained, each as often as it was
 * @param firstRowMillis wall clock when the reading of its first rows began (when they arrived, if
 *     the source does not say), 0 if it had none
 * @param lastAcknowledgedMillis wall clock when its last push was acknowledged, 0 if it had none
 * @param computeNanos time spent on gradients
 */
public record WorkerReport(
        int worker,
        int workers,
        long rows,
        long validationRows,
        long skippedRows,
        int epochs,
        long batches,
        double[] lossSums,
        double[] weightSums,
        double[] validationLosses,
        long bytesSent,
        long bytesReceived,
        long pushedRows,
        long retainedRows,
        long firstRowMillis,
        long lastAcknowledgedMillis,
        long computeNanos) {
    /**
     * Returns the report in words, with the mean loss of each pass, for a stream that is printed.
     */
    @Override
    public String toString() {
        StringJoiner losses = new StringJoiner(", ");
        for (int pass = 0; pass < lossSums.length; pass++) {
            losses.add(String.format(Locale.ROOT, "%.4f", lossSums[pass] / weightSums[pass]));
        }
        return String.format(
                Locale.ROOT,
                "worker %d of %d: %d rows, loss in each pass %s, %d bytes sent, %d received",
                worker + 1,
                workers,
                rows,
                losses,
                bytesSent,
                bytesReceived);
    }
}
