package io.github.flinkps.server.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.testing.GeneratedDoc;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateFunctionsTest {
    @TempDir private Path folder;

    /** Found on the class path of a test. */
    public static class Halving implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "halving";
        }

        @Override
        public Set<String> options() {
            return Set.of("times");
        }

        @Override
        public UpdateFunction create(UpdateSpec spec) {
            return new Halves();
        }
    }

    /** Halves what is touched. */
    private static final class Halves implements UpdateFunction {
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
                values[i] /= 2;
            }
        }
    }

    /** Has the name of a built-in function. */
    public static final class Clashing extends Halving {
        @Override
        public String name() {
            return "sgd";
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sgd, learning-rate, 0",
        "sgd, learning-rate, -1",
        "sgd, learning-rate, NaN",
        "sgd, learning-rate, Infinity",
        "sgd, learning-rate, 1e300",
        "sgd, l1, -0.1",
        "sgd, l2, 10",
        "momentum, momentum, 1",
        "momentum, nesterov, 0.5",
        "adagrad, epsilon, 0",
        "adagrad, epsilon, 1e-300",
        "adagrad, initial-accumulator, -1",
        "rmsprop, decay, 1",
        "adam, beta1, 1",
        "adam, beta2, -0.1",
        "sgd, warmup-steps, -1",
        "momentum, warmup-steps, 2.5",
        "adam, step-factor, 0",
        "adam, step-factor, 1.5",
        "rmsprop, final-rate-share, 1",
        "ftrl, beta, -1",
        "ftrl, l2, -1"
    })
    void valuesOutOfRangeAreRefusedNamingTheOption(String name, String option, double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UpdateFunctions.create(UpdateSpec.of(name).with(option, value)))
                .withMessageStartingWith(option + " must be ")
                .withMessageContaining("'" + name + "'");
    }

    @Test
    void unknownOptionsAndNamesAreRefusedListingThoseKnown() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                UpdateFunctions.create(
                                        UpdateSpec.of("adagrad").with("learningrate", 1)))
                .withMessageContaining("'learningrate'")
                .withMessageContaining("learning-rate");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> UpdateFunctions.create(UpdateSpec.of("add").with("learning-rate", 1)))
                .withMessageContaining("knows none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UpdateFunctions.create(UpdateSpec.of("adamw")))
                .withMessageContaining("'adamw'")
                .withMessageContaining("adagrad, adam, add, assign, ftrl, momentum, rmsprop, sgd");
    }

    @Test
    void aUsersFunctionIsFoundOnTheClassPath() throws IOException {
        withServices(
                Halving.class,
                () -> {
                    UpdateFunction function =
                            UpdateFunctions.create(UpdateSpec.of("halving").with("times", 1));
                    float[] values = {8f};
                    function.apply(values, new float[0][], new float[1], 0, 1, new StepContext());
                    assertThat(values[0]).isEqualTo(4f);
                    assertThat(UpdateFunctions.maker(UpdateSpec.sgd(.1)).get())
                            .isInstanceOf(Sgd.class);
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> UpdateFunctions.create(UpdateSpec.of("none")))
                            .withMessageContaining("halving");
                });
    }

    @Test
    void aNameOfABuiltInFunctionIsRefused() throws IOException {
        withServices(
                Clashing.class,
                () ->
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> UpdateFunctions.create(UpdateSpec.sgd(.1)))
                                .withMessageContaining("'sgd'")
                                .withMessageContaining(Clashing.class.getName()));
    }

    @Test
    void eachPartitionGetsAFunctionOfItsOwn() {
        var maker = UpdateFunctions.maker(UpdateSpec.of("adam"));
        assertThat(maker.get()).isNotSameAs(maker.get());
    }

    @Test
    void clientsKnowWhichStepWithTheMean() {
        assertThat(UpdateFunctions.builtIns().values())
                .allSatisfy(
                        function ->
                                assertThat(UpdateSpec.of(function.name()).stepsWithMean())
                                        .as(function.name())
                                        .isEqualTo(function.step().startsWith("mean")));
    }

    @Test
    void tableIsUpToDate() throws IOException {
        GeneratedDoc.check(
                "optimizers.md",
                "Update functions",
                "What a push does to the rows it touches. A push carries the sum of a mini-batch's"
                    + " gradients and the sum of its rows' weights; *mean* is one divided by the"
                    + " other. `l1` and `l2` are coefficients of the mean objective (for `ftrl`"
                    + " lambda1 and lambda2 of the paper); l1 is a soft threshold, so weights"
                    + " become exactly 0. Where rows no push touches are left alone, a rare row is"
                    + " regularised less than the objective says. The formulas and their sources"
                    + " stand in the Javadoc of `io.github.flinkps.server.update`. Values out of"
                    + " range, and options a function does not know, are refused when the table is"
                    + " created. For Flink 1.20, 2.2 and 2.3; [surfaces.md](surfaces.md) says what"
                    + " is run on each.\n\n"
                        + scheduleText(),
                List.of("name", "steps with", "options and defaults", "slots", "untouched rows"),
                UpdateFunctions.builtIns().values().stream()
                        .map(UpdateFunctionsTest::row)
                        .toList());
    }

    private static String scheduleText() {
        return "All functions with a `learning-rate` but `ftrl`, whose rates per value follow from"
                + " its formula, take the options of a schedule too: "
                + options(LearningRate.DEFAULTS)
                + " (0: none; at most one of `inverse-sqrt-steps`, `step-every` and"
                + " `cosine-steps`). With `warmup-steps` m the rate of step t = 0, 1, .. is"
                + " learning-rate (t + 1) / m while t < m. Of the u steps since then it is"
                + " learning-rate times sqrt(k / (k + u)) with `inverse-sqrt-steps` k; times"
                + " `step-factor` once every `step-every` steps; or, with `cosine-steps` k, falling"
                + " like half a cosine to `final-rate-share` of it at u = k, where it stays. A step"
                + " is a round of all workers' mini-batches under BSP, else as many mini-batches"
                + " finished, by whomever, as there are workers; each partition counts for itself,"
                + " so that under SSP and ASP two may differ by the mini-batches that are on their"
                + " way. A model that is trained on begins its schedule anew, unless it was saved"
                + " with slots (not `sgd`, which has none): then a partition goes on where its step"
                + " count stood. Saved under SSP or ASP it has counted every worker's mini-batches,"
                + " and stands further on in the schedule if it is trained on under BSP, or by"
                + " fewer workers. `sgd` refuses `l1` and `l2` beside a schedule: its closed form"
                + " for rows that come late holds for one rate only (`momentum` with `momentum` 0"
                + " regularises the rows it touches). On the command line a schedule is `--schedule"
                + " inverse-sqrt`, `step` or `cosine` with `--decay-steps`, `--decay-factor` and"
                + " `--warmup-steps`.";
    }

    private static String options(Map<String, Double> options) {
        return options.entrySet().stream()
                .map(option -> "`" + option.getKey() + "` " + number(option.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static List<String> row(UpdateFunctions.BuiltIn function) {
        Map<String, Double> own = new TreeMap<>(function.defaults());
        own.keySet().removeAll(LearningRate.DEFAULTS.keySet());
        String options = options(own);
        int slots = function.create(UpdateSpec.of(function.name())).slots();
        return List.of(
                "`" + function.name() + "`",
                function.step(),
                options,
                Integer.toString(slots),
                function.untouched());
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private void withServices(Class<?> provider, Runnable test) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(
                services.resolve(UpdateFunctionFactory.class.getName()), provider.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            test.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
