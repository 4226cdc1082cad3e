package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/** Stores what is pushed: {@code w = g}. */
final class Assign implements UpdateFunction {
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
        System.arraycopy(gradients, from, values, from, to - from);
    }

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "assign";
        }

        @Override
        public String description() {
            return "keeps what was pushed last";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.VALUE;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of();
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Assign();
        }
    }
}
