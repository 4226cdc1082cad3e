package io.github.flinkps.model.cut;

import java.util.Arrays;

/**
 * A push of a round that is not complete at a cut, or a worker's weight in it alone.
 *
 * @param table its index in the model
 * @param partition that it went to
 * @param clock the round
 * @param worker that sent it
 * @param weight sum of row weights that came with the push
 * @param workerWeight sum of row weights of the worker's mini-batch; 0 where not known
 * @param keys of its rows; none if only the worker's weight is known
 * @param gradients {@code width} per key
 */
public record RoundPush(
        int table,
        int partition,
        long clock,
        int worker,
        double weight,
        double workerWeight,
        long[] keys,
        float[] gradients) {
    /** Returns whether another push is equal to the bit, NaN and -0 included. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RoundPush push
                && table == push.table
                && partition == push.partition
                && clock == push.clock
                && worker == push.worker
                && bits(weight) == bits(push.weight)
                && bits(workerWeight) == bits(push.workerWeight)
                && Arrays.equals(keys, push.keys)
                && sameBits(gradients, push.gradients);
    }

    private static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }

    private static boolean sameBits(float[] some, float[] others) {
        boolean same = some.length == others.length;
        for (int i = 0; same && i < some.length; i++) {
            same = Float.floatToRawIntBits(some[i]) == Float.floatToRawIntBits(others[i]);
        }
        return same;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(keys) * 31 + Long.hashCode(clock) + worker;
    }

    @Override
    public String toString() {
        return "RoundPush[table="
                + table
                + ", partition="
                + partition
                + ", clock="
                + clock
                + ", worker="
                + worker
                + ", weight="
                + weight
                + ", workerWeight="
                + workerWeight
                + ", keys="
                + keys.length
                + "]";
    }
}
