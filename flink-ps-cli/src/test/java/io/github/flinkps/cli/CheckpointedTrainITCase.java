package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Trainings that keep cuts, and what goes on from one. */
@Timeout(180)
@ExtendWith(SharedFlink.class)
class CheckpointedTrainITCase {
    private static final int ROWS = 3000;
    private static final int FIRST = 3;

    @TempDir private Path folder;

    @BeforeEach
    void writeRows() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            rows.append(i % 4 < 2 ? "1 " : "0 ").append(1 + i % 4).append(":1\n");
        }
        Files.writeString(folder.resolve("rows.libsvm"), rows);
    }

    private String in(String name) {
        return folder.resolve(name).toString();
    }

    private String[] train(String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of("train", "--input", in("rows.libsvm"), "--batch-size", "8"));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    @Test
    void keepsCutsAndGoesOnFromOne() {
        TestingCommand.succeeds(
                train(
                        "--epochs",
                        "30",
                        "--checkpoint-interval",
                        "20ms",
                        "--model-root",
                        in("root"),
                        "--keep-cuts",
                        Integer.toString(FIRST)));
        List<String> cuts =
                TestingCommand.succeeds("model", "list", in("root/default/model"))
                        .out()
                        .lines()
                        .toList();
        assertThat(cuts).isNotEmpty();
        String last = cuts.get(cuts.size() - 1);
        assertThat(last).contains("5 rows");
        assertThat(cuts).allMatch(line -> line.contains(", trained-rows="));
        assertThat(last).contains("trained-rows=" + 30 * ROWS);
        assertThat(cuts).anyMatch(line -> line.matches(".*, training-loss=0\\.[0-9]{5}"));
        String cut = last.split(" ", 2)[0];
        String[] goingOn = {
            "--start-cut", cut, "--servers", "1", "--model", in("model"), "--save-slots"
        };
        assertThat(TestingCommand.succeeds(train(goingOn)).out()).doesNotContain("--optimizer");
        assertThat(TestingCommand.succeeds("model", "describe", in("model")).out())
                .contains("logistic-regression");
        saysThatSlotsAreLeftOut("--start-cut", cut);
        saysThatSlotsAreLeftOut("--initial-model", in("model"));
        TestingCommand other = TestingCommand.run(train("--start-cut", cut, "--features", "9"));
        assertThat(other.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(other.err()).contains("--features is that of --start-cut");
    }

    private void saysThatSlotsAreLeftOut(String option, String from) {
        assertThat(TestingCommand.succeeds(train(option, from, "--optimizer", "ftrl")).out())
                .contains(
                        "--optimizer ftrl trains on from the values of "
                                + option
                                + " alone: what adagrad kept beside them is left out");
    }

    @Test
    void saysWhichOptionsDoNotGoTogether() {
        refused("--checkpoint-interval and --model-root go together", "--model-root", in("root"));
        refused("--keep-cuts needs checkpoints: set --checkpoint-interval", "--keep-cuts", "2");
        refused(
                "--guarantee exactly-once needs checkpoints: set --checkpoint-interval",
                "--guarantee",
                "exactly-once");
        refused("it must be one of exactly-once, at-least-once", "--guarantee", "at-most-once");
        refused(
                "--validation-share and patience cannot be combined with checkpoints: leave them or"
                        + " --checkpoint-interval unset",
                "--checkpoint-interval",
                "1s",
                "--model-root",
                in("root"),
                "--patience",
                "2");
        refused(
                "--model-root s3://bucket/root is not a folder of this machine",
                "--checkpoint-interval",
                "1s",
                "--model-root",
                "s3://bucket/root");
        refused(
                "--start-cut does not go with initial-model: give the one",
                "--start-cut",
                in("x"),
                "--initial-model",
                in("y"));
        refused(
                "--start-cut: there is no manifest " + in("x/manifest.json"),
                "--start-cut",
                in("x"));
    }

    @Test
    void keepsTheModelWhereThatIsAskedFor() {
        String out =
                TestingCommand.succeeds(
                                train(
                                        "--checkpoint-interval",
                                        "20ms",
                                        "--model-root",
                                        folder.resolve("root").toUri().toString(),
                                        "--guarantee",
                                        "at-least-once"))
                        .out();
        assertThat(out).contains("3,000 rows");
        assertThat(folder.resolve("root/default/model")).isDirectory();
    }

    @Test
    void keepsAllBelowAFolderOfAnyName() throws IOException {
        Path root = folder.resolve("a b#c%20d\u00fc");
        TestingCommand.succeeds(
                train("--checkpoint-interval", "20ms", "--model-root", root.toString()));
        assertThat(root.resolve("default/model")).isDirectory();
        assertThat(root.resolve("checkpoints")).isDirectory();
        try (Stream<Path> beside = Files.list(folder)) {
            assertThat(beside).containsExactlyInAnyOrder(root, folder.resolve("rows.libsvm"));
        }
    }

    private void refused(String says, String... options) {
        TestingCommand refused = TestingCommand.run(train(options));
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains(says);
    }
}
