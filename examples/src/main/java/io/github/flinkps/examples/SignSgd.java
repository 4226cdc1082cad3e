package io.github.flinkps.examples;

import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.server.update.LearningRate;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateOption;
import io.github.flinkps.server.update.UpdateOptions;
import java.util.List;

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
    public String description() {
        return "a step of a fixed size against the sign of the gradient";
    }

    @Override
    public UpdateInput input() {
        return UpdateInput.GRADIENT_SUM;
    }

    @Override
    public List<UpdateOption> options() {
        return List.of(UpdateOption.learningRate(0.01));
    }

    @Override
    public boolean isScheduled() {
        return true;
    }

    @Override
    public UpdateFunction create(UpdateOptions options) {
        LearningRate learningRate = options.learningRate();
        return (values, slots, gradients, from, to, step) -> {
            float rate = (float) learningRate.at(step);
            for (int i = from; i < to; i++) {
                values[i] -= rate * Math.signum(gradients[i]);
            }
        };
    }
}
