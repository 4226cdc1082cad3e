package io.github.flinkps.cli.job;

import java.util.List;

/**
 * What came of a training.
 *
 * @param rows that trained in one pass
 * @param validationRows that did not train but validate
 * @param skippedRows bad rows that were left out
 * @param epochs passes
 * @param trainSeconds from the first byte read to the last push acknowledged
 * @param startSeconds before that, from the start of the job
 * @param endSeconds after that, until the end of the job: the model is saved
 * @param testSeconds of the job that tests; 0 without
 * @param bytesSent by all workers, as encoded
 * @param bytesReceived by all workers, as encoded
 * @param lossName what the model calls its loss
 * @param trainLoss mean loss of the last pass, each row's as it was before it trained
 * @param validationLosses per pass the mean loss of the rows that validate; empty without such rows
 * @param test null without rows that test
 * @param model null unless it was saved
 */
public record TrainResult(
        long rows,
        long validationRows,
        long skippedRows,
        int epochs,
        double trainSeconds,
        double startSeconds,
        double endSeconds,
        double testSeconds,
        long bytesSent,
        long bytesReceived,
        String lossName,
        double trainLoss,
        List<Double> validationLosses,
        TestResult test,
        SavedModel model) {
    public TrainResult {
        validationLosses = List.copyOf(validationLosses);
    }

    public double rowsPerSecond() {
        return rows * (double) epochs / trainSeconds;
    }

    public double bytesSentPerRow() {
        return bytesSent / ((double) rows * epochs);
    }

    public double bytesReceivedPerRow() {
        return bytesReceived / ((double) rows * epochs);
    }
}
