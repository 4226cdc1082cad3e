package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/**
 * Adam (Kingma and Ba: Adam, a method for stochastic optimization, ICLR 2015, algorithm 1) on the
 * mean gradient: {@code d = g / c + l2 w; m = beta1 m + (1 - beta1) d; v = beta2 v + (1 - beta2)
 * d^2; r = eta / (sqrt(v / (1 - beta2^t)) + epsilon); w = soft(w - r m / (1 - beta1^t), r l1)},
 * {@code t} the number of the step. Two slots: m, v. Rows decay, and their moments change, when
 * they are touched only (lazy Adam); {@code t} counts every step of the table.
 */
final class Adam implements UpdateFunction {
    private final LearningRate learningRate;
    private final double beta1;
    private final double beta2;
    private final float epsilon;
    private final float l1;
    private final float l2;
    private long biasOf = -1;
    private float firstScale;
    private float rootScale;

    Adam(UpdateOptions options) {
        learningRate = options.learningRate();
        beta1 = options.value("beta1");
        beta2 = options.value("beta2");
        epsilon = (float) options.value("epsilon");
        l1 = (float) options.value("l1");
        l2 = (float) options.value("l2");
    }

    @Override
    public int slots() {
        return 2;
    }

    @Override
    public void apply(
            float[] values,
            float[][] slots,
            float[] gradients,
            int from,
            int to,
            StepContext step) {
        long t = Math.max(1, step.step());
        if (t != biasOf) {
            biasOf = t;
            firstScale = (float) (1 / (1 - StrictMath.pow(beta1, (double) t)));
            rootScale = (float) (1 / StrictMath.sqrt(1 - StrictMath.pow(beta2, (double) t)));
        }
        apply(values, slots[0], slots[1], gradients, from, to, step);
    }

    private void apply(
            float[] values,
            float[] firsts,
            float[] seconds,
            float[] gradients,
            int from,
            int to,
            StepContext step) {
        float perRow = (float) (1 / step.weight());
        float keep1 = (float) beta1;
        float take1 = (float) (1 - beta1);
        float keep2 = (float) beta2;
        float take2 = (float) (1 - beta2);
        float rate = (float) learningRate.at(step);
        float scale1 = firstScale;
        float scale2 = rootScale;
        float least = epsilon;
        float lasso = l1;
        float ridge = l2;
        for (int i = from; i < to; i++) {
            float gradient = perRow * gradients[i] + ridge * values[i];
            float first = keep1 * firsts[i] + take1 * gradient;
            float second =
                    Math.min(keep2 * seconds[i] + take2 * (gradient * gradient), Float.MAX_VALUE);
            firsts[i] = first;
            seconds[i] = second;
            float own = rate / ((float) Math.sqrt(second) * scale2 + least);
            float x = values[i] - own * (first * scale1);
            float limit = own * lasso;
            values[i] = x - Math.max(-limit, Math.min(limit, x));
        }
    }

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "adam";
        }

        @Override
        public String description() {
            return "moments of gradients, their bias corrected by the table's step";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_MEAN;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(
                    UpdateOption.learningRate(.001),
                    new UpdateOption(
                            "beta1",
                            .9,
                            NumberRange.atLeast(0).below(1),
                            "decay of the first moment"),
                    new UpdateOption(
                            "beta2",
                            .999,
                            NumberRange.atLeast(0).below(1),
                            "decay of the second moment"),
                    UpdateOption.epsilon(),
                    UpdateOption.l1(),
                    UpdateOption.l2());
        }

        @Override
        public boolean isScheduled() {
            return true;
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Adam(options);
        }
    }
}
