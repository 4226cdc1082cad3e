package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/**
 * FTRL-Proximal (McMahan et al.: Ad click prediction, a view from the trenches, KDD 2013, algorithm
 * 1) on the sum {@code g} of gradients, with alpha = {@code learning-rate}, {@code beta}, lambda1 =
 * {@code l1}, lambda2 = {@code l2} of the paper: {@code s = (sqrt(n + g^2) - sqrt(n)) / alpha; z =
 * z + g - s w; n = n + g^2; w = -soft(z, lambda1) / ((beta + sqrt(n)) / alpha + lambda2)}, which is
 * exactly 0 while {@code |z| <= lambda1}. Two slots: z, n. A value that comes without them gets the
 * z that stands for it at n = 0 (at {@code n = alpha^2} where beta and lambda2 are 0). n is at most
 * the largest float.
 */
final class Ftrl implements UpdateFunction {
    private final float inverseAlpha;
    private final float constant;
    private final float lambda1;
    private final float firstN;

    Ftrl(UpdateOptions options) {
        double alpha = options.value(UpdateOption.LEARNING_RATE);
        inverseAlpha = (float) (1 / alpha);
        constant = (float) (options.value("beta") / alpha + options.value("l2"));
        lambda1 = (float) options.value("l1");
        firstN = constant > 0 ? 0 : (float) (alpha * alpha);
    }

    @Override
    public int slots() {
        return 2;
    }

    @Override
    public void slotsOf(float[] values, float[][] slots, int from, int to) {
        float scale = inverseAlpha * (float) Math.sqrt(firstN) + constant;
        for (int i = from; i < to; i++) {
            float value = values[i];
            slots[0][i] = value == 0 ? 0 : -value * scale - Math.signum(value) * lambda1;
            slots[1][i] = value == 0 ? 0 : firstN;
        }
    }

    @Override
    public void apply(
            float[] values,
            float[][] slots,
            float[] gradients,
            int from,
            int to,
            StepContext step) {
        float[] zs = slots[0];
        float[] ns = slots[1];
        float scale = inverseAlpha;
        float fixed = constant;
        float limit = lambda1;
        for (int i = from; i < to; i++) {
            float gradient = gradients[i];
            float n = ns[i];
            float grown = Math.min(n + gradient * gradient, Float.MAX_VALUE);
            float root = (float) Math.sqrt(grown);
            float sigma = scale * (root - (float) Math.sqrt(n));
            float z = zs[i] + gradient - sigma * values[i];
            zs[i] = z;
            ns[i] = grown;
            // least keeps 0 / 0 away: beta, l2 and all gradients 0
            values[i] =
                    (Math.max(-limit, Math.min(limit, z)) - z)
                            / Math.max(Float.MIN_NORMAL, scale * root + fixed);
        }
    }

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "ftrl";
        }

        @Override
        public String description() {
            return "FTRL-Proximal, with alpha, beta, lambda1 and lambda2 of the paper";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_SUM;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(
                    new UpdateOption(
                            UpdateOption.LEARNING_RATE,
                            .1,
                            NumberRange.above(0),
                            "learning rate, alpha of the paper"),
                    new UpdateOption(
                            "beta",
                            1,
                            NumberRange.atLeast(0),
                            "slowness of a value's first steps, beta of the paper"),
                    new UpdateOption(
                            "l1",
                            0,
                            NumberRange.atLeast(0),
                            "strength of the L1 penalty, lambda1 of the paper"),
                    new UpdateOption(
                            "l2",
                            0,
                            NumberRange.atLeast(0),
                            "strength of the L2 penalty, lambda2 of the paper"));
        }

        @Override
        public boolean keepsInitialValues() {
            return false;
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Ftrl(options);
        }
    }
}
