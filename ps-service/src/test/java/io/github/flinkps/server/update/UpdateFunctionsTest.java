package io.github.flinkps.server.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.testing.GeneratedDoc;
import io.github.flinkps.testing.TestingServices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
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
        public String description() {
            return "halves";
        }

        @Override
        public UpdateInput input() {
            return UpdateInput.GRADIENT_MEAN;
        }

        @Override
        public List<UpdateOption> options() {
            NumberRange times = NumberRange.above(0).atMost(2).whole();
            return List.of(
                    new UpdateOption("times", 1, times, "how often"),
                    UpdateOption.learningRate(.5));
        }

        @Override
        public boolean isScheduled() {
            return true;
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return new Halves(options.value("times"));
        }
    }

    /** Halves what is touched. */
    private record Halves(double times) implements UpdateFunction {
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
                values[i] /= (float) (2 * times);
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

    /** Does not say what it takes. */
    public static final class Silent extends Halving {
        @Override
        public UpdateInput input() {
            return null;
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
                .withMessageContaining(String.join(", ", UpdateFunctions.all().keySet()));
    }

    @Test
    void aUsersFunctionIsFoundOnTheClassPath() throws Exception {
        withServices(
                Halving.class,
                () -> {
                    UpdateFunction function =
                            UpdateFunctions.create(UpdateSpec.of("halving").with("times", 2));
                    float[] values = {8f};
                    function.apply(values, new float[0][], new float[1], 0, 1, new StepContext());
                    assertThat(values[0]).isEqualTo(2f);
                    assertThat(UpdateFunctions.optimizers()).containsKey("halving");
                    assertThat(UpdateFunctions.options(UpdateFunctions.factory("halving")))
                            .extracting(UpdateOption::name)
                            .contains("times", "learning-rate", "cosine-steps");
                    assertThat(UpdateFunctions.maker(UpdateSpec.sgd(.1)).get())
                            .isInstanceOf(Sgd.class);
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> UpdateFunctions.create(UpdateSpec.of("none")))
                            .withMessageContaining("halving");
                    assertThatIllegalArgumentException()
                            .isThrownBy(
                                    () ->
                                            UpdateFunctions.create(
                                                    UpdateSpec.of("halving").with("times", 3)))
                            .withMessageContaining(
                                    "times must be a whole number above 0 and at most 2, not 3");
                });
    }

    @Test
    void aNameOfABuiltInFunctionIsRefused() throws Exception {
        withServices(
                Clashing.class,
                () ->
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> UpdateFunctions.create(UpdateSpec.sgd(.1)))
                                .withMessageContaining("'sgd'")
                                .withMessageContaining(Clashing.class.getName()));
    }

    @Test
    void aFactoryThatDoesNotSayWhatItTakesIsRefused() throws Exception {
        withServices(
                Silent.class,
                () ->
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> UpdateFunctions.factory("halving"))
                                .withMessageContaining(Silent.class.getName() + " has no input"));
    }

    @Test
    void eachPartitionGetsAFunctionOfItsOwn() {
        var maker = UpdateFunctions.maker(UpdateSpec.of("adam"));
        assertThat(maker.get()).isNotSameAs(maker.get());
    }

    @Test
    void thoseThatTrainModelsTakeGradients() {
        assertThat(UpdateFunctions.optimizers())
                .containsKeys("adagrad", "adam", "ftrl", "momentum", "rmsprop", "sgd")
                .doesNotContainKeys("add", "assign");
        assertThat(UpdateFunctions.find("adam")).isPresent();
        assertThat(UpdateFunctions.find("adamw")).isEmpty();
    }

    /** One gradient twice as heavy: the mean halves, the sum stays. */
    @Test
    void functionsTakeOfAPushWhatTheySay() {
        for (UpdateFunctionFactory factory : builtIns()) {
            float[] moved = new float[2];
            for (int i = 0; i < moved.length; i++) {
                UpdateSpec spec = UpdateSpec.of(factory.name());
                UpdateFunction function = UpdateFunctions.create(spec);
                float[] values = new float[1];
                float[][] slots = new float[function.slots()][1];
                StepContext step = new StepContext();
                for (int t = 1; t <= 2; t++) {
                    float[] gradient = {
                        t == 1 ? 2 : 1
                    }; // a second one, as adam's first has no size
                    function.apply(values, slots, gradient, 0, 1, step.set(t == 1 ? 1 : 1 + i, t));
                }
                moved[i] = values[0];
            }
            boolean weighs = Float.compare(moved[0], moved[1]) != 0;
            assertThat(weighs)
                    .as(factory.name())
                    .isEqualTo(factory.input() == UpdateInput.GRADIENT_MEAN);
        }
    }

    @Test
    void tablesAreUpToDate() throws IOException {
        GeneratedDoc.checkTable(
                "optimizers.md",
                "functions",
                List.of("name", "steps with", "options and defaults", "slots", "untouched rows"),
                builtIns().stream().map(UpdateFunctionsTest::row).toList());
        GeneratedDoc.checkTable(
                "optimizers.md",
                "options",
                List.of("option", "range", "meaning", "of"),
                optionRows());
    }

    private static List<UpdateFunctionFactory> builtIns() {
        return UpdateFunctions.all().values().stream()
                .filter(
                        factory ->
                                factory.getClass()
                                        .getPackageName()
                                        .equals(UpdateFunctions.class.getPackageName()))
                .filter(factory -> !(factory instanceof Halving))
                .toList();
    }

    private static String options(List<UpdateOption> options) {
        return options.stream()
                .map(option -> "`" + option.name() + "` " + option.defaultText())
                .collect(Collectors.joining(", "));
    }

    /** Returns each option of one name and meaning once, with those that take it. */
    private static List<List<String>> optionRows() {
        Map<List<String>, List<String>> takers = new LinkedHashMap<>();
        for (UpdateFunctionFactory factory : builtIns()) {
            for (UpdateOption option : UpdateFunctions.options(factory)) {
                List<String> row =
                        List.of(
                                "`" + option.name() + "`",
                                option.range().toString(),
                                option.description());
                takers.computeIfAbsent(row, any -> new ArrayList<>()).add(factory.name());
            }
        }
        List<List<String>> rows = new ArrayList<>();
        takers.forEach(
                (row, names) -> {
                    List<String> all = new ArrayList<>(row);
                    all.add(String.join(", ", names));
                    rows.add(all);
                });
        rows.sort(Comparator.comparing(row -> row.get(0)));
        return rows;
    }

    private static List<String> row(UpdateFunctionFactory factory) {
        UpdateSpec spec = UpdateSpec.of(factory.name());
        boolean regularises =
                factory.options().stream().anyMatch(option -> option.name().equals("l2"));
        boolean catchesUp = regularises && UpdateFunctions.create(spec.with("l2", .1)).catchesUp();
        return List.of(
                "`" + factory.name() + "`",
                factory.input().isGradient()
                        ? factory.input().description() + "; " + factory.description()
                        : factory.input().description(),
                options(factory.options()),
                Integer.toString(UpdateFunctions.create(spec).slots()),
                catchesUp ? "regularised, caught up when next read or pushed" : "left as they are");
    }

    private void withServices(Class<? extends UpdateFunctionFactory> provider, Runnable test)
            throws Exception {
        TestingServices.with(
                folder, UpdateFunctionFactory.class, provider, Executors.callable(test));
    }
}
