package io.github.flinkps.flink.training;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The counts of a worker since the job began, kept over attempts. Counts of several workers add up,
 * when fewer go on.
 *
 * @param rows of its input
 * @param skippedRows bad rows that its readers left out
 * @param firstRowMillis wall clock when the reading of its first rows began, 0 before
 * @param epoch passes of which it has told the end
 * @param trainedRows over all passes
 * @param computeNanos time spent on gradients
 * @param lossSums per pass
 * @param weightSums per pass
 * @param batches per pass
 */
public record WorkerCounts(
        long rows,
        long skippedRows,
        long firstRowMillis,
        int epoch,
        long trainedRows,
        long computeNanos,
        double[] lossSums,
        double[] weightSums,
        long[] batches) {
    public static WorkerCounts none(int epochs) {
        return new WorkerCounts(
                0, 0, 0, 0, 0, 0, new double[epochs], new double[epochs], new long[epochs]);
    }

    /**
     * Returns what is left of counts that have been reported: cuts say how many rows all have
     * trained.
     */
    public WorkerCounts told() {
        WorkerCounts none = none(epochs());
        return new WorkerCounts(
                0, 0, 0, 0, trainedRows, 0, none.lossSums, none.weightSums, none.batches);
    }

    /** Returns the sum of losses over all passes. */
    public double lossSum() {
        return Arrays.stream(lossSums).sum();
    }

    /** Returns the sum of weights over all passes. */
    public double weightSum() {
        return Arrays.stream(weightSums).sum();
    }

    int epochs() {
        return batches.length;
    }

    public WorkerCounts plus(WorkerCounts other) {
        WorkerCounts sum = none(epochs());
        for (int i = 0; i < epochs(); i++) {
            sum.lossSums[i] = lossSums[i] + other.lossSums[i];
            sum.weightSums[i] = weightSums[i] + other.weightSums[i];
            sum.batches[i] = batches[i] + other.batches[i];
        }
        boolean first = other.firstRowMillis == 0 || firstRowMillis == 0;
        return new WorkerCounts(
                rows + other.rows,
                skippedRows + other.skippedRows,
                first
                        ? Math.max(firstRowMillis, other.firstRowMillis)
                        : Math.min(firstRowMillis, other.firstRowMillis),
                Math.max(epoch, other.epoch),
                trainedRows + other.trainedRows,
                computeNanos + other.computeNanos,
                sum.lossSums,
                sum.weightSums,
                sum.batches);
    }

    public void write(DataOutput out) throws IOException {
        out.writeLong(rows);
        out.writeLong(skippedRows);
        out.writeLong(firstRowMillis);
        out.writeInt(epoch);
        out.writeLong(trainedRows);
        out.writeLong(computeNanos);
        out.writeInt(epochs());
        for (int i = 0; i < epochs(); i++) {
            out.writeDouble(lossSums[i]);
            out.writeDouble(weightSums[i]);
            out.writeLong(batches[i]);
        }
    }

    public static WorkerCounts read(DataInput in, int epochs) throws IOException {
        long rows = in.readLong();
        long skippedRows = in.readLong();
        long firstRowMillis = in.readLong();
        int epoch = in.readInt();
        long trainedRows = in.readLong();
        long computeNanos = in.readLong();
        int saved = in.readInt();
        if (saved != epochs) {
            throw new IOException(
                    "the checkpoint is of a job of " + saved + " epochs, this one has " + epochs);
        }
        WorkerCounts sums = none(epochs);
        for (int i = 0; i < epochs; i++) {
            sums.lossSums[i] = in.readDouble();
            sums.weightSums[i] = in.readDouble();
            sums.batches[i] = in.readLong();
        }
        return new WorkerCounts(
                rows,
                skippedRows,
                firstRowMillis,
                epoch,
                trainedRows,
                computeNanos,
                sums.lossSums,
                sums.weightSums,
                sums.batches);
    }
}
