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

    private boolean unknown;
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
     * pushes' own weights count. Adds in the order of workers, so that the result is the same
     * wherever it is asked for.
     */
    double sum(PartitionRound round) {
        unknown = false;
        round.each(this);
        if (unknown) {
            return sumWithPushes(round);
        }
        if (Double.isNaN(sum)) {
            sum = 0;
            for (double weight : weights) {
                sum += weight;
            }
        }
        return sum;
    }

    private double sumWithPushes(PartitionRound round) {
        double all = 0;
        for (int worker = 0; worker < weights.length; worker++) {
            all += weights[worker];
            if (!(weights[worker] > 0)) {
                pushed = all;
                round.each(worker, this);
                all = pushed;
            }
        }
        return all;
    }

    @Override
    public void visit(int worker, Push push, int slice) {
        unknown |= !(weights[worker] > 0);
        pushed += push.weight();
    }
}
