package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.server.update.NumberRange;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.server.update.UpdateOption;
import io.github.flinkps.server.update.UpdateOptions;
import io.github.flinkps.testing.TestingServices;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** An optimizer of one's own, found on the class path. */
class OptimizerOptionsTest {
    @TempDir private Path folder;

    /** Takes an option that no built-in optimizer has. */
    public static class Own implements UpdateFunctionFactory {
        @Override
        public String name() {
            return "own";
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
            return List.of(
                    new UpdateOption("strength", 2, NumberRange.above(1), "strength of a step"),
                    UpdateOption.learningRate(.5));
        }

        @Override
        public UpdateFunction create(UpdateOptions options) {
            return UpdateFunctions.factory("add").create(options);
        }
    }

    /** Has an option of the name of one of the command. */
    public static final class Clashing extends Own {
        @Override
        public List<UpdateOption> options() {
            return List.of(new UpdateOption("rows", 2, NumberRange.above(0), "rows"));
        }
    }

    /** Comes before the built-in ones, and declares an option of theirs as a switch. */
    public static final class OfAnotherType extends Own {
        @Override
        public String name() {
            return "aaa";
        }

        @Override
        public List<UpdateOption> options() {
            return List.of(new UpdateOption("l2", 0, NumberRange.FLAG, "whether to nudge"));
        }
    }

    /** Has the name of another. */
    public static final class Twice extends Own {
        @Override
        public String name() {
            return "adam";
        }
    }

    /** Cannot be made. */
    public static final class Unmade extends Own {
        public Unmade() {
            throw new IllegalStateException("out of order");
        }
    }

    /** Has an option of the name of one of the command. */
    public static final class ClashingAlgorithm implements TrainingModelFactory {
        @Override
        public String name() {
            return "clashing";
        }

        @Override
        public String description() {
            return "nothing";
        }

        @Override
        public List<ModelOption> options() {
            return List.of(ModelOption.text("model", "none", "kind of model"));
        }

        @Override
        public TrainingModel create(Map<String, String> options) {
            throw new IllegalArgumentException("made for its options");
        }
    }

    private static String run(String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        Main.commandLine(out, out).execute(arguments);
        out.flush();
        return text.toString().replaceAll("\\s+", " ");
    }

    private String runWithOwn(String... arguments) throws Exception {
        return TestingServices.with(
                folder, UpdateFunctionFactory.class, Own.class, () -> run(arguments));
    }

    @Test
    void isListedWithItsOptions() throws Exception {
        assertThat(runWithOwn("train", "--help"))
                .contains(" own, rmsprop")
                .contains("Strength of a step (own). Default: 2.")
                .contains("Default: 0.1 (adam: 0.001; rmsprop: 0.01; own: 0.5).");
    }

    @Test
    void itsOptionsAreCheckedAsItDeclaresThem() throws Exception {
        assertThat(runWithOwn("train", "--optimizer", "own", "--strength", "1"))
                .contains("--strength must be above 1 and finite, not 1.0 (update function 'own')");
        assertThat(runWithOwn("train", "--optimizer", "sgd", "--strength", "3"))
                .contains(
                        "--strength does not go with --optimizer sgd, which takes --cosine-steps,"
                                + " ");
        assertThat(runWithOwn("train", "--optimizer", "own", "--warmup-steps", "3"))
                .contains("--warmup-steps does not go with --optimizer own");
    }

    @Test
    void aScheduleTakesThePlaceOfThatBeforeAndLeavesTheWarmUp() {
        UpdateSpec before =
                new UpdateSpec("adam", Map.of("cosine-steps", 9.0, "warmup-steps", 3.0));
        assertThat(trainingOn(before, "train", "--step-every", "5", "--beta1", ".5"))
                .containsOnly(
                        entry("step-every", 5.0), entry("beta1", .5), entry("warmup-steps", 3.0));
        assertThat(trainingOn(before, "train", "--beta1", ".5"))
                .containsOnly(
                        entry("cosine-steps", 9.0), entry("beta1", .5), entry("warmup-steps", 3.0));
    }

    private static Map<String, Double> trainingOn(UpdateSpec before, String... arguments) {
        PrintWriter out = new PrintWriter(new StringWriter());
        CommandLine command = Main.commandLine(out, out);
        command.parseArgs(arguments);
        Usage usage = new Usage(command.getSubcommands().get("train").getCommandSpec());
        return new OptimizerOptions().update(usage, before).options();
    }

    @Test
    void refusesOnlyWhatHasAnOptionOfTheCommandsOwn() throws Exception {
        TestingServices.with(
                folder,
                UpdateFunctionFactory.class,
                Clashing.class,
                () -> {
                    assertThat(run("train", "--optimizer", "own"))
                            .contains(
                                    "optimizer 'own' ("
                                            + Clashing.class.getName()
                                            + ") cannot be used here: the command has another"
                                            + " --rows, so its option 'rows' needs another name");
                    assertThat(run("train", "--rows", "9", "--optimizer", "sgd", "--l1", "-1"))
                            .contains("--l1 must be at least 0");
                    return assertThat(run("list", "--help")).contains("Usage: flink-ps");
                });
    }

    @Test
    void anOptionIsWhatTheBuiltInsSay() throws Exception {
        TestingServices.with(
                folder,
                UpdateFunctionFactory.class,
                OfAnotherType.class,
                () -> {
                    assertThat(run("train", "--help"))
                            .contains(" aaa, adagrad,")
                            .doesNotContainIgnoringCase("whether to nudge");
                    assertThat(run("train", "--optimizer", "sgd", "--l2", "-1"))
                            .contains("--l2 must be at least 0");
                    return assertThat(run("train", "--optimizer", "aaa"))
                            .contains("the command has another --l2, so its option 'l2' needs");
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {Twice.class, Unmade.class})
    void whatCannotBeUsedEndsNoOtherCommand(Class<? extends UpdateFunctionFactory> broken)
            throws Exception {
        TestingServices.with(
                folder,
                UpdateFunctionFactory.class,
                broken,
                () -> {
                    assertThat(TestingCommand.run("model", "list", "--help").exitCode()).isZero();
                    assertThat(TestingCommand.run("--version").exitCode()).isZero();
                    TestingCommand train = TestingCommand.run("train", "--rows", "9");
                    assertThat(train.exitCode()).isEqualTo(1);
                    return assertThat(train.err())
                            .startsWith(
                                    "flink-ps: an algorithm or optimizer of FLINK_PS_CLASSPATH"
                                            + " cannot be used: ")
                            .contains(broken.getName())
                            .hasLineCount(1);
                });
    }

    @Test
    void refusesAnAlgorithmWithAnOptionOfTheCommandsOwn() throws Exception {
        TestingServices.with(
                folder,
                TrainingModelFactory.class,
                ClashingAlgorithm.class,
                () -> {
                    assertThat(run("train", "--algorithm", "clashing"))
                            .contains(
                                    "algorithm 'clashing' ("
                                            + ClashingAlgorithm.class.getName()
                                            + ") cannot be used here: the command has another"
                                            + " --model,");
                    return assertThat(run("train", "--model", "m", "--rows", "0"))
                            .contains("--rows must be between");
                });
    }
}
