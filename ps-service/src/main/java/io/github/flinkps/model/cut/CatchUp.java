package io.github.flinkps.model.cut;

/** What steps without a gradient do to rows, see the update function of that name. */
@FunctionalInterface
public interface CatchUp {
    /** Applies {@code elapsed} steps, at least 1, to the values {@code [from, to)}. */
    void apply(float[] values, int from, int to, long elapsed);
}
