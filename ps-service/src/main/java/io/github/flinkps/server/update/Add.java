package io.github.flinkps.server.update;

/** Adds what is pushed: {@code w = w + g}. */
final class Add implements UpdateFunction {
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
        for (int i = from; i < to; i++) {
            values[i] += gradients[i];
        }
    }
}
