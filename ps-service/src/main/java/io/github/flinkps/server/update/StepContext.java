package io.github.flinkps.server.update;

/**
 * What an update function may know of the step it takes. Reused between calls by the owner thread.
 */
public final class StepContext {
    private double weight = 1;
    private long step = 1;

    /** The sum of the row weights behind the gradients, by which a mean is taken; positive. */
    public double weight() {
        return weight;
    }

    /** The number of this step, from 1: rounds under BSP, else steps counted at the partition. */
    public long step() {
        return step;
    }

    /** Sets both; returns this. A weight that is not positive counts as 1. */
    public StepContext set(double newWeight, long newStep) {
        this.weight = newWeight > 0 ? newWeight : 1;
        this.step = newStep;
        return this;
    }
}
