package io.github.flinkps.examples;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import java.util.Set;

/**
 * An optimizer of one's own on the servers: a step of a fixed size against the sign of the gradient
 * (Bernstein et al.: signSGD, ICML 2018). Found by {@link java.util.ServiceLoader}: this class is
 * named in {@code META-INF/services}, and the jar lies on the class path of the servers.
 */
public final class SignSgd implements UpdateFunctionFactory {
    @Override
    public String name() {
        return "sign-sgd";
    }

    @Override
    public Set<String> options() {
        return Set.of("learning-rate");
    }

    @Override
    public UpdateFunction create(UpdateSpec spec) {
        double rate = spec.options().getOrDefault("learning-rate", 0.01);
        if (!(rate > 0)) {
            throw new IllegalArgumentException("learning-rate must be above 0, not " + rate);
        }
        return new Step((float) rate);
    }

    /** The step; it keeps nothing beside the values. */
    private record Step(float rate) implements UpdateFunction {
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
                values[i] -= rate * Math.signum(gradients[i]);
            }
        }
    }
}
