package io.github.flinkps.service;

import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateOption;
import io.github.flinkps.server.update.UpdateOptions;
import java.util.List;

/** A user's update function: adds the sign of the gradient; fails at gradients of 666. */
public final class SignUpdateFactory implements UpdateFunctionFactory {
    static final String NAME = "sign-for-tests";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "the sign of the gradient";
    }

    @Override
    public UpdateInput input() {
        return UpdateInput.GRADIENT_SUM;
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
                for (int i = from; i < to; i++) {
                    if (gradients[i] == 666) {
                        throw new IllegalStateException("no step of 666");
                    }
                    values[i] += Math.signum(gradients[i]);
                }
            }
        };
    }
}
