package io.github.flinkps.server.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.UpdateSpec;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Traces of single rows, computed by hand from the formulas in the functions' Javadoc, within 2e-6;
 * FTRL against the published algorithm in double.
 */
class UpdateTraceTest {
    private static final Offset<Float> CLOSE = within(2e-6f);

    /** One row of one value under a function. */
    private static final class Row {
        private final UpdateFunction function;
        private final float[] value;
        private final float[][] slots;
        private final StepContext step = new StepContext();
        private long steps;

        Row(UpdateSpec spec, float initial) {
            function = UpdateFunctions.create(spec);
            value = new float[] {initial};
            slots = new float[function.slots()][1];
            for (int k = 0; k < slots.length; k++) {
                slots[k][0] = function.initialSlot(k);
            }
        }

        float push(double sum, double weight) {
            function.apply(
                    value, slots, new float[] {(float) sum}, 0, 1, step.set(weight, ++steps));
            return value[0];
        }

        float untouched(long elapsed) {
            function.catchUp(value, 0, 1, elapsed);
            steps += elapsed;
            return value[0];
        }
    }

    private static Row row(float initial, String name, Object... options) {
        UpdateSpec spec = UpdateSpec.of(name);
        for (int i = 0; i < options.length; i += 2) {
            spec = spec.with((String) options[i], ((Number) options[i + 1]).doubleValue());
        }
        return new Row(spec, initial);
    }

    /** The slots FTRL gives a value are those that stand for it. */
    @Test
    void ftrlKeepsValuesThatComeWithoutSlots() {
        double[][] settings = {{.1, 1, 0, 0}, {.5, 1, .3, .2}, {1, 0, .1, 0}, {.1, 0, 0, 2}};
        for (double[] setting : settings) {
            UpdateSpec spec =
                    UpdateSpec.of("ftrl")
                            .with("learning-rate", setting[0])
                            .with("beta", setting[1])
                            .with("l1", setting[2])
                            .with("l2", setting[3]);
            UpdateFunction function = UpdateFunctions.create(spec);
            float[] values = {0, 1, -2, .001f, -300};
            float[][] slots = new float[2][5];
            float[] before = values.clone();
            function.slotsOf(values, slots, 0, 5);
            function.apply(values, slots, new float[5], 0, 5, new StepContext());
            for (int i = 0; i < 5; i++) {
                assertThat(values[i]).isCloseTo(before[i], within(1e-5f * Math.abs(before[i])));
            }
        }
    }

    @Test
    void sumsOfSquaresStayFinite() {
        for (String name : new String[] {"adagrad", "rmsprop", "adam", "ftrl"}) {
            Row row = row(.5f, name, "learning-rate", .1);
            for (int i = 0; i < 3; i++) {
                assertThat(row.push(5e37, 1)).as(name).isFinite();
                assertThat(row.push(-1e30, 1)).as(name).isFinite();
            }
        }
    }

    @Test
    void sgdStepsWithTheMean() {
        Row row = row(1, "sgd", "learning-rate", .5);
        assertThat(row.push(2, 4)).isCloseTo(.75f, CLOSE);
        assertThat(row.push(-8, 2)).isCloseTo(2.75f, CLOSE);
        assertThat(row.push(1, 1)).isCloseTo(2.25f, CLOSE);
        assertThat(row.function.catchesUp()).isFalse();
    }

    @Test
    void sgdRegularisesEveryStep() {
        Row row = row(1, "sgd", "learning-rate", .5, "l1", .1, "l2", .2);
        assertThat(row.function.catchesUp()).isTrue();
        assertThat(row.push(2, 4)).isCloseTo(.6f, CLOSE);
        assertThat(row.untouched(2)).isCloseTo(.391f, CLOSE);
        assertThat(row.push(-1, 1)).isCloseTo(.8019f, CLOSE);
        assertThat(row.untouched(1000)).isEqualTo(0f);
        assertThat(row.push(.04, 1)).isEqualTo(0f);
        assertThat(row.push(.2, 1)).isCloseTo(-.05f, CLOSE);
    }

    @Test
    void sgdCatchesUpAsSingleStepsWould() {
        double[][] settings = {
            {.1, 0, .01}, {.1, .001, 0}, {.1, .0005, .02}, {.01, 1e-5, 1e-6}, {.5, 0, 1.9}
        };
        for (double[] setting : settings) {
            for (int steps : new int[] {1, 2, 10, 255, 256, 300, 2000}) {
                double w = -1.25;
                for (int i = 0; i < steps; i++) {
                    double x = (1 - setting[0] * setting[2]) * w;
                    w = Math.signum(x) * Math.max(0, Math.abs(x) - setting[0] * setting[1]);
                }
                Row row =
                        row(
                                -1.25f,
                                "sgd",
                                "learning-rate",
                                setting[0],
                                "l1",
                                setting[1],
                                "l2",
                                setting[2]);
                assertThat(row.untouched(steps)).as("%d steps", steps).isCloseTo((float) w, CLOSE);
            }
        }
    }

    @Test
    void momentumIsTheHeavyBall() {
        Row row = row(1, "momentum", "learning-rate", .1, "momentum", .9);
        assertThat(row.push(2, 2)).isCloseTo(.9f, CLOSE);
        assertThat(row.push(1, 1)).isCloseTo(.71f, CLOSE);
        assertThat(row.push(-8, 4)).isCloseTo(.739f, CLOSE);
    }

    @Test
    void nesterovLooksAhead() {
        Row row = row(1, "momentum", "learning-rate", .1, "momentum", .9, "nesterov", 1);
        assertThat(row.push(2, 2)).isCloseTo(.81f, CLOSE);
        assertThat(row.push(1, 1)).isCloseTo(.539f, CLOSE);
        assertThat(row.push(-8, 4)).isCloseTo(.7651f, CLOSE);
    }

    @Test
    void momentumRegularises() {
        Row row = row(1, "momentum", "learning-rate", .1, "momentum", .5, "l1", .2, "l2", .5);
        // d = 1 + .5, v = 1.5, 1 - .15 - .02; d = -1 + .415, v = .165, .83 - .0165 - .02
        assertThat(row.push(2, 2)).isCloseTo(.83f, CLOSE);
        assertThat(row.push(-1, 1)).isCloseTo(.7935f, CLOSE);
    }

    @Test
    void adagradStepsWithTheSum() {
        Row row = row(0, "adagrad", "learning-rate", .1);
        assertThat(row.push(3, 64)).isCloseTo(-.1f, CLOSE);
        assertThat(row.push(4, 64)).isCloseTo(-.18f, CLOSE);
        assertThat(row.push(-12, 1)).isCloseTo(-.0876923f, CLOSE);
        assertThat(row.push(0, 1)).isCloseTo(-.0876923f, CLOSE);
        assertThat(row(0, "adagrad").push(0, 1)).isEqualTo(0f);
        assertThat(row(0, "adagrad", "initial-accumulator", 16).push(3, 1)).isCloseTo(-.06f, CLOSE);
        assertThat(row(0, "adagrad", "epsilon", 1).push(3, 1)).isCloseTo(-.075f, CLOSE);
    }

    @Test
    void adagradRegularisesByTheWeight() {
        Row row = row(1, "adagrad", "learning-rate", .3, "l1", .5, "l2", .5);
        assertThat(row.push(2, 2)).isCloseTo(.6f, CLOSE);
        assertThat(row.push(3.4, 2)).isCloseTo(.3f, CLOSE);
    }

    @Test
    void rmspropStepsWithTheMean() {
        Row row = row(0, "rmsprop", "learning-rate", .1, "decay", .9);
        assertThat(row.push(4, 4)).isCloseTo(-.3162278f, CLOSE);
        assertThat(row.push(4, 2)).isCloseTo(-.6019421f, CLOSE);
        assertThat(row.push(-1, 1)).isCloseTo(-.4659850f, CLOSE);
    }

    @Test
    void rmspropRegularises() {
        Row row = row(1, "rmsprop", "learning-rate", .1, "decay", .75, "l1", .1, "l2", 1);
        // d = 1 + 1, s = .25 * 4, r = .1: 1 - .2 - .01
        assertThat(row.push(2, 2)).isCloseTo(.79f, CLOSE);
    }

    @Test
    void adamCorrectsItsBias() {
        Row row = row(0, "adam", "learning-rate", .1);
        assertThat(row.push(2, 2)).isCloseTo(-.1f, CLOSE);
        assertThat(row.push(2, 1)).isCloseTo(-.1965182f, CLOSE);
        assertThat(row.push(-9, 3)).isCloseTo(-.1898583f, CLOSE);
        // w = 1, d = 1 + .5: the first step is eta whatever the gradient, then the threshold eta l1
        // / 1.5
        Row regularised = row(1, "adam", "learning-rate", .1, "l1", .3, "l2", .5);
        assertThat(regularised.push(1, 1)).isCloseTo(.88f, CLOSE);
    }

    @Test
    void ftrlIsThePapersByHand() {
        Row row = row(0, "ftrl", "learning-rate", .1, "beta", 1, "l1", .5, "l2", 1);
        assertThat(row.push(1, 7)).isCloseTo(-.0238095f, CLOSE);
        assertThat(row.push(-2, 7)).isCloseTo(.0061659f, CLOSE);
        assertThat(row.push(.5, 7)).isEqualTo(0f);
        assertThat(row(0, "ftrl", "beta", 0).push(0, 1)).isEqualTo(0f);
    }

    @Test
    void ftrlIsThePapersInDouble() {
        long seed = System.nanoTime();
        System.out.println("UpdateTraceTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (double[] s : new double[][] {{.1, 1, 0, 0}, {.05, .5, 1, .1}, {1, 1, .01, 2}}) {
            Row row = row(0, "ftrl", "learning-rate", s[0], "beta", s[1], "l1", s[2], "l2", s[3]);
            double z = 0;
            double n = 0;
            for (int t = 0; t < 500; t++) {
                // the algorithm computes w lazily from z and n, then takes the gradient
                double w = publishedWeight(s, z, n);
                assertThat((double) row.value[0])
                        .as("step %d", t)
                        .isCloseTo(w, within(2e-4 * (1 + Math.abs(w))));
                float g = (float) (random.nextDouble(-1, 1) + .2);
                double sigma = (Math.sqrt(n + g * g) - Math.sqrt(n)) / s[0];
                z += g - sigma * w;
                n += (double) g * g;
                row.push(g, 1 + t % 3);
            }
        }
    }

    private static double publishedWeight(double[] s, double z, double n) {
        return Math.abs(z) <= s[2]
                ? 0
                : -(z - Math.signum(z) * s[2]) / ((s[1] + Math.sqrt(n)) / s[0] + s[3]);
    }

    @Test
    void addAndAssignIgnoreTheWeight() {
        Row added = row(1, "add");
        added.push(2, 9);
        assertThat(added.push(-.5, 9)).isEqualTo(2.5f);
        Row assigned = row(1, "assign");
        assigned.push(2, 9);
        assertThat(assigned.push(-.5, 9)).isEqualTo(-.5f);
    }

    /** Two workers' pushes as two steps (SSP, ASP), against the sum as one step (BSP). */
    @Test
    void pushesOfTwoWorkersAreTwoStepsOrOneSummed() {
        Row two = row(0, "sgd", "learning-rate", .5);
        two.push(2, 4);
        assertThat(two.push(6, 2)).isCloseTo(-1.75f, CLOSE);
        assertThat(row(0, "sgd", "learning-rate", .5).push(8, 6)).isCloseTo(-.6666667f, CLOSE);

        Row adagrad = row(0, "adagrad", "learning-rate", .1);
        adagrad.push(3, 4);
        assertThat(adagrad.push(4, 2)).isCloseTo(-.18f, CLOSE);
        assertThat(row(0, "adagrad", "learning-rate", .1).push(7, 6)).isCloseTo(-.1f, CLOSE);

        Row adam = row(0, "adam", "learning-rate", .1);
        adam.push(4, 4);
        assertThat(adam.push(4, 2)).isCloseTo(-.1965182f, CLOSE);
        assertThat(row(0, "adam", "learning-rate", .1).push(8, 6)).isCloseTo(-.1f, CLOSE);
    }

    @Test
    void onlyTheGivenValuesChange() {
        for (String name :
                new String[] {
                    "sgd", "momentum", "adagrad", "rmsprop", "adam", "ftrl", "add", "assign"
                }) {
            UpdateFunction function = UpdateFunctions.create(UpdateSpec.of(name));
            float[] values = new float[40];
            float[] gradients = new float[40];
            float[][] slots = new float[function.slots()][40];
            java.util.Arrays.fill(gradients, 1f);
            function.apply(values, slots, gradients, 3, 37, new StepContext().set(2, 1));
            for (int i = 0; i < 40; i++) {
                boolean inside = i >= 3 && i < 37;
                assertThat(values[i]).isEqualTo(inside ? values[20] : 0f);
                for (float[] plane : slots) {
                    assertThat(plane[i]).isEqualTo(inside ? plane[20] : 0f);
                }
            }
            assertThat(values[20]).isNotZero();
        }
    }
}
