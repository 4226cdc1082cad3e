package io.github.flinkps.server.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.UpdateSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rates computed by hand from the formulas, and the functions that follow them. */
class LearningRateTest {
    private static final List<String> SCHEDULED =
            UpdateFunctions.optimizers().values().stream()
                    .filter(UpdateFunctionFactory::isScheduled)
                    .map(UpdateFunctionFactory::name)
                    .toList();

    private static UpdateSpec spec(String name, Object... options) {
        UpdateSpec spec = UpdateSpec.of(name);
        for (int i = 0; i < options.length; i += 2) {
            spec = spec.with((String) options[i], ((Number) options[i + 1]).doubleValue());
        }
        return spec;
    }

    /** The rate of plain SGD in each round: what a gradient of 1 takes off a value. */
    private static void assertRates(UpdateSpec spec, double... rates) {
        UpdateFunction function = UpdateFunctions.create(spec);
        StepContext step = new StepContext();
        for (int t = 0; t < rates.length; t++) {
            float[] value = {0};
            function.apply(value, new float[0][], new float[] {1}, 0, 1, step.set(1, t + 1));
            assertThat(-value[0]).as("rate %d", t).isCloseTo((float) rates[t], within(1e-6f));
        }
    }

    @Test
    void ratesFollowTheFormulas() {
        assertRates(spec("sgd", "learning-rate", .5), .5, .5, .5);
        assertRates(spec("sgd", "learning-rate", 1, "warmup-steps", 4), .25, .5, .75, 1, 1, 1);
        assertRates(
                spec("sgd", "learning-rate", 1, "inverse-sqrt-steps", 3),
                1,
                .8660254,
                .7745967,
                .7071068,
                .6546537);
        assertRates(
                spec("sgd", "learning-rate", .8, "step-every", 2, "step-factor", .5),
                .8,
                .8,
                .4,
                .4,
                .2,
                .2,
                .1);
        assertRates(spec("sgd", "learning-rate", .8, "step-every", 1), .8, .08, .008);
        assertRates(
                spec("sgd", "learning-rate", 2, "cosine-steps", 4),
                2,
                1.7071068,
                1,
                .2928932,
                0,
                0,
                0);
        assertRates(
                spec("sgd", "learning-rate", 1, "cosine-steps", 2, "final-rate-share", .2),
                1,
                .6,
                .2,
                .2);
    }

    @Test
    void decayBeginsAfterTheWarmUp() {
        assertRates(
                spec("sgd", "learning-rate", 1, "warmup-steps", 2, "inverse-sqrt-steps", 3),
                .5,
                1,
                1,
                .8660254,
                .7745967);
        assertRates(
                spec(
                        "sgd",
                        "learning-rate",
                        1,
                        "warmup-steps",
                        2,
                        "cosine-steps",
                        2,
                        "final-rate-share",
                        .5),
                .5,
                1,
                1,
                .75,
                .5,
                .5);
    }

    /** Each function takes in round 2 the step that it takes with a fixed rate of half the size. */
    @Test
    void everyFunctionFollowsItsSchedule() {
        for (String name : SCHEDULED) {
            boolean sgd = name.equals("sgd");
            Object[] l1 = sgd ? new Object[0] : new Object[] {"l1", .01, "l2", .02};
            UpdateSpec scheduled = spec(name, l1).with("learning-rate", .2).with("step-every", 1);
            UpdateFunction halved = UpdateFunctions.create(scheduled.with("step-factor", .5));
            UpdateFunction fixed = UpdateFunctions.create(spec(name, l1).with("learning-rate", .1));
            UpdateFunction full = UpdateFunctions.create(spec(name, l1).with("learning-rate", .2));
            StepContext step = new StepContext();
            assertThat(pushed(halved, step.set(2, 2))).as(name).isEqualTo(pushed(fixed, step));
            assertThat(pushed(halved, step.set(2, 1))).as(name).isEqualTo(pushed(full, step));
            // the round counts, not the step
            assertThat(pushed(halved, step.set(2, 9, 2))).as(name).isEqualTo(pushed(fixed, step));
        }
    }

    private static float[] pushed(UpdateFunction function, StepContext step) {
        float[] values = {.5f, -1, 2};
        float[][] slots = new float[function.slots()][3];
        function.apply(values, slots, new float[] {1, -2, .5f}, 0, 3, step);
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {"l1", "l2"})
    void sgdRefusesToRegulariseUnderASchedule(String option) {
        for (String schedule : List.of("warmup-steps", "step-every", "cosine-steps")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> UpdateFunctions.create(spec("sgd", option, .1, schedule, 5)))
                    .withMessageStartingWith(option + " does not go with a schedule")
                    .withMessageContaining("momentum 0");
        }
        UpdateFunctions.create(spec("momentum", "momentum", 0, option, .1, "step-every", 5));
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                UpdateFunctions.create(
                                        spec("adam", "step-every", 2, "cosine-steps", 9)))
                .withMessageContaining("exclude each other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UpdateFunctions.create(spec("adam", "step-factor", .5)))
                .withMessageContaining("step-factor goes with step-every only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UpdateFunctions.create(spec("adam", "final-rate-share", .5)))
                .withMessageContaining("cosine-steps");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UpdateFunctions.create(spec("ftrl", "warmup-steps", 5)))
                .withMessageContaining("'warmup-steps'");
    }
}
