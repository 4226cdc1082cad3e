package io.github.flinkps.cli.job;

import java.util.List;

/**
 * The outcome of a training.
 *
 * @param epochs passes
 * @param test null without test rows
 * @param testSeconds of the job that tests; 0 without
 * @param model null unless it was saved
 */
public record TrainResult(
        Rows rows,
        int epochs,
        Seconds seconds,
        Traffic traffic,
        Losses losses,
        TestResult test,
        double testSeconds,
        SavedModel model) {
    /**
     * Counts what became of the rows of one pass.
     *
     * @param trained those that trained
     * @param validated those that did not train but validate
     * @param skipped bad ones that were left out
     */
    public record Rows(long trained, long validated, long skipped) {}

    /**
     * The durations of the parts of the job, in seconds.
     *
     * @param start from the start of the job to the first byte read
     * @param train from there to the last push acknowledged
     * @param end from there to the end of the job: the model is saved
     */
    public record Seconds(double start, double train, double end) {}

    /** Bytes by all workers, as encoded. */
    public record Traffic(long sent, long received) {}

    /**
     * The losses of a training, which say how well the model fits the rows.
     *
     * @param name what the model calls its loss
     * @param train mean of the last pass, each row's as it was before it trained
     * @param validation per pass the mean of the validation rows; empty without such rows
     */
    public record Losses(String name, double train, List<Double> validation) {
        public Losses {
            validation = List.copyOf(validation);
        }
    }

    /** Returns this result of a model that has been tested, and saved if it is not null. */
    TrainResult tested(TestResult found, double inSeconds, SavedModel saved) {
        return new TrainResult(rows, epochs, seconds, traffic, losses, found, inSeconds, saved);
    }

    public double rowsPerSecond() {
        return trainedRows() / seconds.train();
    }

    public double bytesSentPerRow() {
        return traffic.sent() / trainedRows();
    }

    public double bytesReceivedPerRow() {
        return traffic.received() / trainedRows();
    }

    private double trainedRows() {
        return rows.trained() * (double) epochs;
    }
}
