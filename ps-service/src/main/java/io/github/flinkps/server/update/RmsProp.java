package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/**
 * RMSProp (Tieleman and Hinton: lecture 6.5, 2012) on the mean gradient: {@code d = g / c + l2 w; s
 * = decay s + (1 - decay) d^2; r = eta / (sqrt(s) + epsilon); w = soft(w - r d, r l1)}. One slot:
 * s. Rows decay when they are touched only.
 */
final class RmsProp implements UpdateFunction {
    private final LearningRate learningRate;
    private final double decay;
    private final float epsilon;
    private final float l1;
    private final float l2;

    RmsProp(UpdateOptions options) {
        learningRate = options.learningRate();
        decay = options.value("decay");
        epsilon = (float) options.value("epsilon");
        l1 = (float) options.value("l1");
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
        float[] squares = slots[0];
        float perRow = (float) (1 / step.weight());
        float rate = (float) learningRate.at(step);
        float keep = (float) decay;
        float take = (float) (1 - decay);
        float least = epsilon;
        float lasso = l1;
        float ridge = l2;
        for (int i = from; i < to; i++) {
            float gradient = perRow * gradients[i] + ridge * values[i];
            float square =
                    Math.min(keep * squares[i] + take * (gradient * gradient), Float.MAX_VALUE);
            squares[i] = square;
            float own = rate / ((float) Math.sqrt(square) + least);
            float x = values[i] - own * gradient;
            float limit = own * lasso;
            values[i] = x - Math.max(-limit, Math.min(limit, x));
        }
    }

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "rmsprop";
        }

        @Override
        public String description() {
            return "rates fall with the mean of squared gradients";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_MEAN;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(
                    UpdateOption.learningRate(.01),
                    new UpdateOption(
                            "decay",
                            .9,
                            NumberRange.atLeast(0).below(1),
                            "decay of the mean square"),
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
            return new RmsProp(options);
        }
    }
}
