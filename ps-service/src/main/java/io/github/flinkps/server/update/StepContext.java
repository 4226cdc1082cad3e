package io.github.flinkps.server.update;

/**
 * The step that an update function takes, as far as the function may know it. Reused between calls
 * by the owner thread.
 */
public final class StepContext {
    private double weight = 1;
    private long step = 1;
    private long round = 1;

    /**
     * Returns the sum of the row weights behind the gradients, by which a mean is taken; positive.
     */
    public double weight() {
        return weight;
    }

    /**
     * Returns the number of this step, from 1: rounds under BSP, else steps counted at the
     * partition.
     */
    public long step() {
        return step;
    }

    /**
     * Returns the model's round, from 1, which schedules read: a round of all workers under BSP;
     * else as many mini-batches as there are workers. It goes on where workers change.
     */
    public long round() {
        return round;
    }

    /** Sets the context to a step that is a round of BSP. */
    public StepContext set(double newWeight, long newStep) {
        return set(newWeight, newStep, newStep);
    }

    /** Sets all; returns this. A weight that is not positive counts as 1. */
    public StepContext set(double newWeight, long newStep, long newRound) {
        this.weight = newWeight > 0 ? newWeight : 1;
        this.step = newStep;
        this.round = newRound;
        return this;
    }
}
