package io.github.flinkps.server.update;

import java.util.Arrays;

/**
 * The step a server takes for a push: new values and slots from old ones and a gradient. One
 * instance serves one partition of one table and is called by its owner thread only.
 *
 * <p>A kernel works on planar blocks: value {@code values[i]}, its slots {@code slots[k][i]} and
 * its gradient {@code gradients[i]} share the index {@code i}, so that a plain loop is vectorized.
 * The arrays belong to the caller, are valid during the call and hold whole rows; nothing outside
 * {@code [from, to)} may be read or written.
 */
public interface UpdateFunction {
    /** Returns the number of slots kept beside each value, 0 to 8. */
    default int slots() {
        return 0;
    }

    /** Returns what slot {@code slot} of a row holds at the row's birth. */
    default float initialSlot(int slot) {
        return 0f;
    }

    /**
     * Sets the slots of values {@code [from, to)} that come without any: those of a saved model
     * without slots, and an initializer's other than 0. Initial ones, unless the values follow from
     * the slots.
     */
    default void slotsOf(float[] values, float[][] slots, int from, int to) {
        for (int slot = 0; slot < slots(); slot++) {
            Arrays.fill(slots[slot], from, to, initialSlot(slot));
        }
    }

    /** Applies one step to the values {@code [from, to)}. */
    void apply(
            float[] values, float[][] slots, float[] gradients, int from, int to, StepContext step);

    /**
     * Returns whether rows that pushes have not touched change with the steps too (regularisation).
     * If so, the store keeps each row's last step and calls {@link #catchUp} before the row is next
     * used.
     */
    default boolean catchesUp() {
        return false;
    }

    /**
     * Applies what {@code elapsed} steps without a gradient do to the values {@code [from, to)}.
     */
    default void catchUp(float[] values, int from, int to, long elapsed) {}
}
