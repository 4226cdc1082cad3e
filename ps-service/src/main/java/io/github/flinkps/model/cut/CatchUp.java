package io.github.flinkps.model.cut;

/** The effect on rows of steps without a gradient, see the update function of that name. */
@FunctionalInterface
public interface CatchUp {
    /** Applies {@code elapsed} steps, at least 1, to the values {@code [from, to)}. */
    void apply(float[] values, int from, int to, long elapsed);
}
