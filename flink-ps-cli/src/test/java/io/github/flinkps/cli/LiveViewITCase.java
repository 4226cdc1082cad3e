package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.cli.progress.EventFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is shown and written of a training while it runs. */
@ExtendWith(SharedFlink.class)
class LiveViewITCase {
    private static final String LAST_AUC =
            "train auc +0\\.[0-9]{4} of [0-9,]+ rows sampled in the last pass";

    private static final String NUMBER = "[0-9,.]+";

    @TempDir private Path folder;
    private Path rows;

    @BeforeEach
    void writeRows() throws IOException {
        rows = TestingRows.write(folder.resolve("rows.libsvm"), TestingRows.ROWS, 1);
    }

    private String in(String name) {
        return folder.resolve(name).toString();
    }

    private String[] train(String... more) {
        return Stream.concat(
                        Stream.of("train", "--input", rows.toString(), "--tuning", "off"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    @Test
    void aTerminalShowsOneLineInPlaceAndOneThatStaysForEachPass() {
        TestingTerminal terminal = new TestingTerminal(120);
        int code =
                terminal.run(train("--epochs", "1000", "--model", in("model"), "--servers", "3"));
        assertThat(code).as(terminal.written()).isZero();
        assertThat(terminal.statuses())
                .contains("starting the job ..", "saving the model ..")
                .anySatisfy(
                        status ->
                                assertThat(status)
                                        .matches(
                                                "epoch \\d+/1000 \\d+%  logloss "
                                                        + NUMBER
                                                        + "(  auc 0\\.[0-9]{4})?  "
                                                        + NUMBER
                                                        + "k? rows/s  "
                                                        + NUMBER
                                                        + " [kM]?B/s  lag \\d+  3 servers"));
        List<String> screen = terminal.screen();
        assertThat(screen.get(0)).startsWith("training on " + rows);
        for (int epoch = 1; epoch <= 1000; epoch++) {
            assertThat(screen.get(epoch))
                    .matches(
                            "epoch "
                                    + epoch
                                    + "/1000  600 rows  logloss "
                                    + NUMBER
                                    + "(  auc "
                                    + NUMBER
                                    + ")?  "
                                    + NUMBER
                                    + "k? rows/s  "
                                    + NUMBER
                                    + " s");
        }
        assertThat(screen.get(1001)).isEmpty();
        assertThat(screen.get(1002)).isEqualTo("rows            600 x 1,000 passes");
        assertThat(screen.get(screen.size() - 1)).as("the cursor's line").isEmpty();
        assertThat(screen)
                .anyMatch(line -> line.matches(" {2}preparing +[0-9.]+"))
                .anyMatch(line -> line.matches(" {2}training +[0-9.]+"))
                .anyMatch(line -> line.matches("sent +[0-9.]+ MB, [0-9.]+ bytes a row"))
                .anyMatch(line -> line.equals("model           " + in("model")))
                .anyMatch(line -> line.matches("model size +[0-9.]+ kB, 53 parameters"));
        assertThat(screen.subList(1, 1001)).anyMatch(line -> line.contains("  auc 0."));
        assertThat(screen.stream().anyMatch(line -> line.matches(LAST_AUC)))
                .as("what the line of the last pass tells, if it tells one")
                .isEqualTo(screen.get(1000).contains("  auc "));
    }

    @Test
    void aFailureIsNotMixedWithTheStatus() throws IOException {
        Files.writeString(rows, "1 nonsense\n", StandardOpenOption.APPEND);
        TestingTerminal terminal = new TestingTerminal(80);
        assertThat(terminal.run(train())).isEqualTo(ExitCodes.FAILED);
        List<String> screen = terminal.screen();
        assertThat(terminal.statuses()).contains("starting the job ..");
        assertThat(screen).hasSize(3);
        assertThat(screen.get(1)).startsWith("flink-ps: ").contains("rows.libsvm");
        assertThat(screen.get(2)).isEmpty();
    }

    @Test
    void elsewhereNoControlCharacterIsWritten() {
        TestingCommand train = TestingCommand.succeeds(train("--epochs", "4"));
        assertThat(train.out()).contains("epoch 1/4  600 rows  logloss ").contains("epoch 4/4  ");
        assertThat(train.out().chars().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(train.err()).isEmpty();
    }

    @Test
    void quietOnATerminalToo() {
        TestingTerminal terminal = new TestingTerminal(80);
        assertThat(terminal.run(train("--quiet", "--metrics", in("m.csv")))).isZero();
        assertThat(terminal.written()).isEmpty();
        assertThat(folder.resolve("m.csv")).isNotEmptyFile();
    }

    /** The rows of a metrics file, by column. */
    private static List<Map<String, Double>> metrics(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        String[] names = lines.get(0).split(",");
        List<Map<String, Double>> table = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            assertThat(cells).hasSameSizeAs(names);
            Map<String, Double> row = new HashMap<>();
            for (int i = 0; i < names.length; i++) {
                row.put(names[i], cells[i].isEmpty() ? Double.NaN : Double.parseDouble(cells[i]));
            }
            table.add(row);
        }
        return table;
    }

    @Test
    void curvesAreWrittenOfAGeneratedClickLogAndTheAreaComesNearTheTested() throws IOException {
        TestingCommand.succeeds(
                "train",
                "--rows",
                "40000",
                "--optimizer",
                "ftrl",
                "--epochs",
                "2",
                "--quiet",
                "--metrics",
                in("m.csv"),
                "--tensorboard",
                in("new/curves"),
                "--report",
                in("report.json"));
        List<Map<String, Double>> table = metrics(folder.resolve("m.csv"));
        for (String column : List.of("seconds", "epoch", "rows", "clock", "bytes_sent")) {
            assertThat(table.stream().map(row -> row.get(column))).as(column).isSorted();
        }
        List<Map<String, Double>> ends =
                table.stream().filter(row -> row.get("end_of_epoch") == 1).toList();
        // A worker may have begun the second pass as the other ends the first.
        assertThat(ends).hasSize(2);
        assertThat(ends.get(0).get("rows")).isBetween(40000.0, 60000.0);
        assertThat(ends.get(1).get("rows")).isEqualTo(80000.0);
        assertThat(ends.get(1).get("loss")).isLessThan(ends.get(0).get("loss"));
        assertThat(table)
                .allSatisfy(
                        row -> {
                            assertThat(row.get("clock_lag")).isBetween(0.0, 1.0);
                            assertThat(row.get("validation_loss")).isNaN();
                            assertThat(row.get("rows_per_s")).isNotNegative();
                        });
        double tested =
                new ObjectMapper()
                        .readTree(folder.resolve("report.json").toFile())
                        .get("test")
                        .get("auc")
                        .asDouble();
        // Of rows that had not trained, but for a model that had seen half of them or so.
        assertThat(ends.get(0).get("auc")).isCloseTo(tested, within(0.06));
        assertThat(ends.get(0).get("auc_rows")).isBetween(500.0, 8192.0);
        checkEvents(ends, tested);
    }

    private void checkEvents(List<Map<String, Double>> ends, double tested) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(folder.resolve("new/curves"))) {
            files = found.toList();
        }
        assertThat(files).hasSize(1);
        assertThat(files.get(0).getFileName().toString()).startsWith("events.out.tfevents.");
        List<EventFile.Scalar> scalars = EventFile.read(files.get(0));
        for (Map<String, Double> end : ends) {
            assertThat(scalars)
                    .anySatisfy(
                            scalar -> {
                                assertThat(scalar.tag()).isEqualTo("train/loss");
                                assertThat(scalar.step()).isEqualTo(end.get("rows").longValue());
                                assertThat(scalar.value()).isEqualTo(end.get("loss").floatValue());
                            });
        }
        assertThat(scalars)
                .extracting(EventFile.Scalar::tag)
                .contains("train/auc", "train/recent_loss", "speed/rows_per_s")
                .contains("workers/clock_lag", "test/logloss", "test/accuracy")
                .doesNotContain("validation/loss");
        EventFile.Scalar last = scalars.get(scalars.size() - 2);
        assertThat(last.tag()).isEqualTo("test/auc");
        assertThat(last.step()).isEqualTo(80000);
        assertThat(last.value()).isEqualTo((float) tested);
        assertThat(scalars).extracting(EventFile.Scalar::wallSeconds).isSorted();
        assertThat(last.wallSeconds())
                .isCloseTo(System.currentTimeMillis() / 1000.0, within(3600.0));
    }

    @Test
    void showsWhatTheRowsThatValidateSay() throws IOException {
        TestingCommand train =
                TestingCommand.succeeds(
                        train(
                                "--validation-share",
                                ".3",
                                "--epochs",
                                "3",
                                "--metrics",
                                in("m.csv"),
                                "--tensorboard",
                                in("events")));
        assertThat(train.out())
                .containsPattern("epoch 1/3  4\\d\\d rows  .*  validation 0\\.\\d+  ")
                .containsPattern("validation +logloss 0\\.\\d+ of 1\\d\\d rows after pass [123], ");
        List<Map<String, Double>> table = metrics(folder.resolve("m.csv"));
        assertThat(table.stream().filter(row -> row.get("end_of_epoch") == 1))
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.get("validation_loss")).isBetween(0.1, 0.8));
        assertThat(table.stream().filter(row -> row.get("end_of_epoch") == 0))
                .allSatisfy(row -> assertThat(row.get("validation_loss")).isNaN());
        try (Stream<Path> found = Files.list(folder.resolve("events"))) {
            assertThat(EventFile.read(found.findFirst().orElseThrow()))
                    .filteredOn(scalar -> scalar.tag().equals("validation/loss"))
                    .hasSize(3);
        }
    }

    @Test
    void otherModelsHaveNoArea() throws IOException {
        TestingCommand train =
                TestingCommand.succeeds(
                        train("--algorithm", "linear-regression", "--metrics", in("m.csv")));
        assertThat(train.out()).contains("train loss").doesNotContain("auc");
        assertThat(metrics(folder.resolve("m.csv")))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.get("auc")).isNaN());
    }

    @Test
    void whatWasWrittenStaysWhenTheTrainingFails() throws IOException {
        Files.writeString(folder.resolve("m.csv"), "of the run before\n");
        Path test = Files.writeString(folder.resolve("test.libsvm"), "1 nonsense\n");
        TestingCommand train =
                TestingCommand.run(
                        train("--metrics", in("m.csv"), "--test", test.toString(), "--quiet"));
        assertThat(train.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(train.err()).contains("test.libsvm").doesNotContain("m.csv");
        assertThat(Files.readAllLines(folder.resolve("m.csv")).get(0)).startsWith("seconds,epoch");
    }

    private void refused(String message, String... more) throws IOException {
        Path file = folder.resolve("rows.libsvm");
        String before = Files.readString(file);
        List<String> files = List.of(folder.toFile().list());
        TestingCommand train = TestingCommand.run(train(more));
        assertThat(train.exitCode()).as("%s", List.of(more)).isEqualTo(ExitCodes.FAILED);
        assertThat(train.err()).contains(message);
        assertThat(train.err().lines()).hasSize(1);
        assertThat(train.out()).as("nothing has begun").isEmpty();
        assertThat(folder.toFile().list()).containsExactlyInAnyOrderElementsOf(files);
        assertThat(file).hasContent(before);
    }

    @Test
    void refusesPlacesForItBeforeAnyWorkIsDone() throws IOException {
        Path sub = Files.createDirectories(folder.resolve("data/sub"));
        Files.copy(rows, sub.resolve("part"));
        Files.createSymbolicLink(folder.resolve("link"), rows);
        refused("there is no folder", "--metrics", in("absent/m.csv"));
        refused("is a folder", "--metrics", in("data"));
        refused("is a file of --input", "--metrics", rows.toString());
        refused("is a file of --input", "--metrics", in("link"));
        refused("is what --report writes, too", "--metrics", in("x"), "--report", in("./x"));
        refused("is what --model writes, too", "--metrics", in("x"), "--model", in("x"));
        refused("is a file of --test", "--metrics", in("data/sub/part"), "--test", in("data"));
        refused("in a folder of --test", "--metrics", in("data/sub/m"), "--test", in("data"));
        refused("rows.libsvm is a file", "--tensorboard", rows.toString());
        refused("rows.libsvm is a file", "--tensorboard", rows + "/curves");
        refused("in a folder of --test", "--tensorboard", in("data/tb"), "--test", in("data"));
        refused("is what --model writes, too", "--tensorboard", in("x"), "--model", in("x"));
        rows = folder;
        refused("in a folder of --input", "--metrics", in("m.csv"));
    }

    @Test
    void aFullDiskIsToldBeforeTheJob() throws IOException {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/dev/full")));
        TestingCommand train = TestingCommand.run(train("--metrics", "/dev/full"));
        assertThat(train.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(train.err())
                .isEqualTo("flink-ps: cannot write --metrics /dev/full: No space left on device\n");
    }
}
