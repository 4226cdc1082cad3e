package io.github.flinkps.flink.training.worker;

import io.github.flinkps.flink.training.WorkerCounts;
import java.util.Arrays;

/** The losses of a worker, summed per pass. */
final class LossCurve {
    private final double[] lossSums;
    private final double[] weightSums;
    private final long[] batches;
    private double[] validationLosses = new double[0];

    LossCurve(int epochs) {
        this.lossSums = new double[epochs];
        this.weightSums = new double[epochs];
        this.batches = new long[epochs];
    }

    void add(int epoch, double loss, double weight) {
        lossSums[epoch] += loss;
        weightSums[epoch] += weight;
        batches[epoch]++;
    }

    /** Goes on from what a worker has counted before. */
    void add(WorkerCounts before) {
        for (int i = 0; i < batches.length; i++) {
            lossSums[i] += before.lossSums()[i];
            weightSums[i] += before.weightSums()[i];
            batches[i] += before.batches()[i];
        }
    }

    /** Returns the number of mini-batches of each pass. */
    long[] batchesOfPasses() {
        return batches.clone();
    }

    /** Sets the loss of a pass as measured by the validation rows. */
    void validated(int epoch, double loss) {
        validationLosses = Arrays.copyOf(validationLosses, epoch + 1);
        validationLosses[epoch] = loss;
    }

    /** Returns the validation losses of the passes that were measured. */
    double[] validationLosses() {
        return validationLosses.clone();
    }

    /** Returns the sums of losses of the first passes. */
    double[] lossSums(int epochs) {
        return Arrays.copyOf(lossSums, epochs);
    }

    /** Returns the sums of weights of the first passes. */
    double[] weightSums(int epochs) {
        return Arrays.copyOf(weightSums, epochs);
    }

    long batches() {
        long sum = 0;
        for (long each : batches) {
            sum += each;
        }
        return sum;
    }

    long batches(int epoch) {
        return batches[epoch];
    }

    double lossSum(int epoch) {
        return lossSums[epoch];
    }

    double weightSum(int epoch) {
        return weightSums[epoch];
    }
}
