package io.github.flinkps.server;

import java.util.Arrays;

/**
 * The weights of the mini-batches of a round, by worker; also of those without a push to a
 * partition. Confined to the owner thread.
 */
final class RoundWeights implements PartitionRound.Visitor {
    private final double[] weights;

    /** The sum of all, in the order of workers; not a number while it is not known. */
    private double sum = Double.NaN;

    /** The same sum and, of workers whose mini-batch is not known, the pushes visited. */
    private double pushed;

    RoundWeights(int workers) {
        this.weights = new double[workers];
    }

    double get(int worker) {
        return weights[worker];
    }

    void set(int worker, double weight) {
        weights[worker] = weight;
        sum = Double.NaN;
    }

    void clear() {
        Arrays.fill(weights, 0);
        sum = Double.NaN;
    }

    /**
     * Returns the weight of a partition's round. Where a worker's mini-batch is not known its
     * pushes' own weights count. Adds the mini-batches and then the pushes, both in the order of
     * workers, so that the result is the same wherever it is asked for.
     */
    double sum(PartitionRound round) {
        if (Double.isNaN(sum)) {
            sum = 0;
            for (double weight : weights) {
                sum += weight;
            }
        }
        pushed = sum;
        round.each(this);
        return pushed;
    }

    @Override
    public void visit(int worker, Push push, int slice) {
        if (!(weights[worker] > 0)) {
            pushed += push.weight();
        }
    }
}
