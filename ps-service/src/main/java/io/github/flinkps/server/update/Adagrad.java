package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

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

    Adagrad(UpdateOptions options) {
        learningRate = options.learningRate();
        epsilon = (float) options.value("epsilon");
        initialAccumulator = (float) options.value("initial-accumulator");
        l1 = options.value("l1");
        l2 = options.value("l2");
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

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "adagrad";
        }

        @Override
        public String description() {
            return "rates fall with the sum of squared gradients";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_SUM;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(
                    UpdateOption.learningRate(.1),
                    UpdateOption.epsilon(),
                    new UpdateOption(
                            "initial-accumulator",
                            0,
                            NumberRange.atLeast(0),
                            "first sum of squares"),
                    UpdateOption.l1(),
                    UpdateOption.l2());
        }

        @Override
        public boolean isScheduled() {
            return true;
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Adagrad(options);
        }
    }
}
