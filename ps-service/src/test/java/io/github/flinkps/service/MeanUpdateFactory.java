package io.github.flinkps.service;

import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateOption;
import io.github.flinkps.server.update.UpdateOptions;
import java.util.List;

/** A user's update function that steps with the mean of the gradients, as {@code sgd} does. */
public class MeanUpdateFactory implements UpdateFunctionFactory {
    static final String NAME = "mean-for-tests";
    static final double RATE = .25;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "as sgd";
    }

    @Override
    public UpdateInput input() {
        return UpdateInput.GRADIENT_MEAN;
    }

    @Override
    public List<UpdateOption> options() {
        return List.of();
    }

    @Override
    public UpdateFunction create(UpdateOptions options) {
        return new UpdateFunction() {
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
                float rate = (float) (RATE / step.weight());
                for (int i = from; i < to; i++) {
                    values[i] -= rate * gradients[i];
                }
            }
        };
    }
}
