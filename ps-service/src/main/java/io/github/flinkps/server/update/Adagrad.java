package io.github.flinkps.server.update;

/**
 * Adagrad (Duchi, Hazan, Singer: Adaptive subgradient methods, JMLR 2011; the diagonal, composite
 * mirror descent form) on the sum {@code g} of gradients over rows of weight {@code c}: {@code G =
 * g + c l2 w; n = n + G^2; r = eta / (sqrt(n) + epsilon); w = soft(w - r G, r c l1)}. One slot: n,
 * at first {@code initial-accumulator}. Rows decay when they are touched only.
 */
final class Adagrad implements UpdateFunction {
    private final LearningRate learningRate;
    private final float epsilon;
    private final float initialAccumulator;
    private final double l1;
    private final double l2;

    Adagrad(OptionReader options) {
        learningRate = new LearningRate(options);
        epsilon = (float) options.positive("epsilon");
        initialAccumulator = (float) options.notNegative("initial-accumulator");
        l1 = options.notNegative("l1");
        l2 = options.notNegative("l2");
    }

    @Override
    public int slots() {
        return 1;
    }

    @Override
    public float initialSlot(int slot) {
        return initialAccumulator;
    }

    @Override
    public void apply(
            float[] values,
            float[][] slots,
            float[] gradients,
            int from,
            int to,
            StepContext step) {
        if (l1 == 0 && l2 == 0) {
            plain(values, slots[0], gradients, from, to, (float) learningRate.at(step));
        } else {
            regularised(values, slots[0], gradients, from, to, step);
        }
    }

    private void plain(
            float[] values, float[] sums, float[] gradients, int from, int to, float rate) {
        float least = epsilon;
        for (int i = from; i < to; i++) {
            float gradient = gradients[i];
            float sum = Math.min(sums[i] + gradient * gradient, Float.MAX_VALUE);
            sums[i] = sum;
            values[i] -= rate * gradient / ((float) Math.sqrt(sum) + least);
        }
    }

    private void regularised(
            float[] values, float[] sums, float[] gradients, int from, int to, StepContext step) {
        float rate = (float) learningRate.at(step);
        float threshold = (float) (l1 * step.weight());
        float decay = (float) (l2 * step.weight());
        float least = epsilon;
        for (int i = from; i < to; i++) {
            float gradient = gradients[i] + decay * values[i];
            float sum = Math.min(sums[i] + gradient * gradient, Float.MAX_VALUE);
            sums[i] = sum;
            float own = rate / ((float) Math.sqrt(sum) + least);
            float x = values[i] - own * gradient;
            float limit = own * threshold;
            values[i] = x - Math.max(-limit, Math.min(limit, x));
        }
    }
}
