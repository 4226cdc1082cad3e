package io.github.flinkps.service;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import java.util.Set;

/** A user's update function: adds the sign of the gradient; fails at gradients of 666. */
public final class SignUpdateFactory implements UpdateFunctionFactory {
    static final String NAME = "sign-for-tests";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> options() {
        return Set.of();
    }

    @Override
    public UpdateFunction create(UpdateSpec spec) {
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
