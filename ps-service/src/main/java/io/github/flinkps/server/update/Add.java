package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/** Adds what is pushed: {@code w = w + g}. */
final class Add implements UpdateFunction {
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
            values[i] += gradients[i];
        }
    }

    /** Makes and describes it. */
    public static final class Factory implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "add";
        }

        @Override
        public String description() {
            return "adds up what is pushed";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.INCREMENT;
        }

        @Override
        public List<UpdateOption> options() {
            return List.of();
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Add();
        }
    }
}
