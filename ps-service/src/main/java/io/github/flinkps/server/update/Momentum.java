package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/**
 * The heavy ball (Polyak 1964, as in Sutskever et al.: On the importance of initialization and
 * momentum in deep learning, ICML 2013) on the mean gradient: {@code d = g / c + l2 w; v = mu v +
 * d; w = soft(w - eta v, eta l1)}; with {@code nesterov} 1 the step is {@code eta (d + mu v)}. One
 * slot: v. Rows decay when they are touched only, as does the moment.
 */
final class Momentum implements UpdateFunction {
    private final LearningRate learningRate;
    private final float momentum;
    private final boolean nesterov;
    private final float l2;
    private final double l1;

    Momentum(UpdateOptions options) {
        learningRate = options.learningRate();
        momentum = (float) options.value("momentum");
        nesterov = options.flag("nesterov");
        l1 = options.value("l1");
        l2 = (float) options.value("l2");
    }

    @Override
    public int slots() {
        return 1;
    }

    @Override
    public void apply(
            float[] values,
            float[][] slots,
            float[] gradients,
            int from,
            int to,
            StepContext step) {
        float[] moments = slots[0];
        float perRow = (float) (1 / step.weight());
        double eta = learningRate.at(step);
        float rate = (float) eta;
        float mu = momentum;
        float decay = l2;
        float limit = (float) (eta * l1);
        // heavy ball: step = v; Nesterov: step = d + mu v
        float ofGradient = nesterov ? 1 : 0;
        float ofMoment = nesterov ? mu : 1;
        for (int i = from; i < to; i++) {
            float gradient = perRow * gradients[i] + decay * values[i];
            float moment = mu * moments[i] + gradient;
            moments[i] = moment;
            float x = values[i] - rate * (ofGradient * gradient + ofMoment * moment);
            values[i] = x - Math.max(-limit, Math.min(limit, x));
        }
    }

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "momentum";
        }

        @Override
        public String description() {
            return "heavy ball, or Nesterov's momentum";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_MEAN;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(
                    UpdateOption.learningRate(.1),
                    new UpdateOption(
                            "momentum",
                            .9,
                            NumberRange.atLeast(0).below(1),
                            "share of the last step that goes on"),
                    new UpdateOption(
                            "nesterov",
                            0,
                            NumberRange.FLAG,
                            "Nesterov's momentum instead of the heavy ball"),
                    UpdateOption.l1(),
                    UpdateOption.l2());
        }

        @Override
        public boolean isScheduled() {
            return true;
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Momentum(options);
        }
    }
}
