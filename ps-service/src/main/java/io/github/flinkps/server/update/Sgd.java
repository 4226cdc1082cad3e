package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/**
 * Stochastic gradient descent on the mean objective with L1 and L2. A push of the sum {@code g} of
 * gradients over rows of weight {@code c} sets {@code w = soft((1 - eta l2) w - eta g / c, eta
 * l1)}. This is the proximal step of {@code mean loss + l1 |w| + l2/2 w^2} (Duchi and Singer:
 * Efficient online and batch learning using forward backward splitting, JMLR 2009), where {@code
 * soft(x, t) = sign(x) max(|x| - t, 0)}.
 *
 * <p>Steps that do not touch a row only regularise it; {@code k} of them in closed form, with
 * {@code a = 1 - eta l2}: {@code w = soft(a^k w, eta l1 (1 - a^k) / (1 - a))}, or the threshold
 * {@code k eta l1} where l2 is 0. So the objective is the one stated whichever rows the
 * mini-batches touch. As that holds for one eta only, l1 and l2 are refused beside a schedule.
 */
final class Sgd implements UpdateFunction {
    private static final int TABLE = 256;

    private final LearningRate learningRate;
    private final double rate;
    private final double l1;
    private final double l2;
    private final float decay;
    private final float threshold;
    private final float[] decays;
    private final float[] thresholds;

    Sgd(UpdateOptions options) {
        learningRate = options.learningRate();
        rate = learningRate.base();
        l1 = options.value("l1");
        l2 = options.value("l2");
        options.require(rate * l2 < 1, "l2", "below 1 / learning-rate");
        if (catchesUp() && !learningRate.isConstant()) {
            throw options.refusal(
                    (l1 > 0 ? "l1" : "l2")
                            + " does not go with a schedule of sgd's learning rate, as rows no push"
                            + " touches are regularised later in closed form: use the function"
                            + " 'momentum' with momentum 0, which regularises rows that are"
                            + " touched");
        }
        decay = (float) (1 - rate * l2);
        threshold = (float) (rate * l1);
        int known = catchesUp() ? TABLE : 0;
        decays = new float[known];
        thresholds = new float[known];
        for (int k = 0; k < known; k++) {
            decays[k] = (float) decayOf(k);
            thresholds[k] = (float) thresholdOf(k);
        }
    }

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
        float perGradient = (float) (learningRate.at(step) / step.weight());
        if (l1 == 0 && l2 == 0) {
            plain(values, gradients, from, to, perGradient);
        } else {
            regularised(values, gradients, from, to, perGradient, decay, threshold);
        }
    }

    private static void plain(float[] values, float[] gradients, int from, int to, float rate) {
        for (int i = from; i < to; i++) {
            values[i] -= rate * gradients[i];
        }
    }

    private static void regularised(
            float[] values,
            float[] gradients,
            int from,
            int to,
            float rate,
            float decay,
            float threshold) {
        for (int i = from; i < to; i++) {
            float x = decay * values[i] - rate * gradients[i];
            values[i] = x - Math.max(-threshold, Math.min(threshold, x));
        }
    }

    @Override
    public boolean catchesUp() {
        return l1 > 0 || l2 > 0;
    }

    @Override
    public void catchUp(float[] values, int from, int to, long elapsed) {
        boolean known = elapsed < decays.length;
        float factor = known ? decays[(int) elapsed] : (float) decayOf(elapsed);
        float limit = known ? thresholds[(int) elapsed] : (float) thresholdOf(elapsed);
        for (int i = from; i < to; i++) {
            float x = factor * values[i];
            values[i] = x - Math.max(-limit, Math.min(limit, x));
        }
    }

    /** Returns {@code a^k} for {@code k} steps. */
    private double decayOf(long steps) {
        return StrictMath.exp(steps * StrictMath.log1p(-rate * l2));
    }

    /** Returns {@code eta l1 (1 + a + .. + a^(k-1))} for {@code k} steps. */
    private double thresholdOf(long steps) {
        double single = rate * l1;
        return l2 == 0
                ? single * steps
                : single * -StrictMath.expm1(steps * StrictMath.log1p(-rate * l2)) / (rate * l2);
    }

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "sgd";
        }

        @Override
        public String description() {
            return "stochastic gradient descent";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_MEAN;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(UpdateOption.learningRate(.1), UpdateOption.l1(), UpdateOption.l2());
        }

        @Override
        public boolean isScheduled() {
            return true;
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Sgd(options);
        }
    }
}
