package io.github.flinkps.server.update;

/** Stores what is pushed: {@code w = g}. */
final class Assign implements UpdateFunction {
    @Override
    public int slots() {
        return 0;
    }

    @Override
    public void apply(
            float[] values,
            float[][] slots,
            float[] gradients,
            int from,
            int to,
            StepContext step) {
        System.arraycopy(gradients, from, values, from, to - from);
    }
}
