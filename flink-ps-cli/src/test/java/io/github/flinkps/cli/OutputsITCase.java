package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what commands write, and what they leave alone. */
@ExtendWith(SharedFlink.class)
class OutputsITCase {
    @TempDir private Path folder;
    private Path rows;

    @BeforeEach
    void writeRows() throws IOException {
        rows = TestingRows.write(folder.resolve("rows.libsvm"), 200, 1);
    }

    private String in(String name) {
        return folder.resolve(name).toString();
    }

    private TestingCommand train(String... more) {
        String[] fixed = {"train", "--input", rows.toString(), "--epochs", "1", "--quiet"};
        return TestingCommand.run(
                Stream.concat(Stream.of(fixed), Stream.of(more)).toArray(String[]::new));
    }

    /** Every file with its content. */
    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path path : found.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(path);
                files.put(folder.relativize(path).toString(), java.util.Arrays.toString(bytes));
            }
        }
        return files;
    }

    private void fails(TestingCommand command, Map<String, String> before, String... parts)
            throws IOException {
        assertThat(command.err()).startsWith("flink-ps: ").contains(parts);
        assertThat(command.err().lines()).hasSize(1);
        assertThat(command.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void takesNoFolderForAModelThatHoldsTheManifestOfSomethingElse() throws IOException {
        Path other = Files.createDirectory(folder.resolve("extension"));
        Files.writeString(other.resolve("manifest.json"), "{\"name\": \"x\", \"version\": \"1\"}");
        Files.writeString(other.resolve("precious.txt"), "x");
        fails(train("--model", other.toString()), files(), "--model", "choose another directory");
    }

    @Test
    void replacesAModelAndLeavesWhatElseIsThere() throws IOException {
        Path model = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), model);
        assertThat(train("--model", link.toString()).exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(link).isSymbolicLink();
        Files.writeString(model.resolve("notes.txt"), "notes");
        Path data;
        try (Stream<Path> entries = Files.list(model)) {
            data = entries.filter(Files::isDirectory).findFirst().orElseThrow();
        }
        Files.writeString(model.resolve("data-of-mine"), "mine");
        assertThat(train("--model", link.toString()).exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(link).isSymbolicLink();
        assertThat(data).doesNotExist();
        assertThat(model.resolve("notes.txt")).hasContent("notes");
        assertThat(model.resolve("data-of-mine")).hasContent("mine");
        assertThat(model.toFile().list()).hasSize(4);
        TestingCommand.succeeds("model", "describe", model.toString());
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("rows.libsvm", "real", "link");
    }

    @Test
    void leavesTheModelThatWasThereWhenTheReportCannotBeWritten() throws IOException {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/dev/full")));
        String[] last = {"--model", in("model"), "--report", "/dev/full"};
        fails(train(last), files(), "cannot write --report /dev/full: No space left on device");
        assertThat(train("--model", in("model")).exitCode()).isEqualTo(ExitCodes.OK);
        fails(train(last), files(), "cannot write --report /dev/full: No space left on device");
    }

    @Test
    void leavesTheModelThatWasThereWhenTheReportCannotBeRenamed() throws IOException {
        assertThat(train("--model", in("model")).exitCode()).isEqualTo(ExitCodes.OK);
        Map<String, String> before = files();
        // A folder of the report's name comes while the job runs, told by its first line.
        StringWriter err = new StringWriter();
        PrintWriter out =
                new PrintWriter(new StringWriter()) {
                    @Override
                    public void println(String line) {
                        try {
                            Files.createDirectories(folder.resolve("report/full"));
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                };
        for (String model : new String[] {"model", "new"}) {
            Files.deleteIfExists(folder.resolve("report/full"));
            Files.deleteIfExists(folder.resolve("report"));
            int code =
                    Main.run(
                            out,
                            new PrintWriter(err),
                            "train",
                            "--input",
                            rows.toString(),
                            "--model",
                            in(model),
                            "--report",
                            in("report"));
            assertThat(code).as("%s", err).isEqualTo(ExitCodes.FAILED);
            assertThat(err.toString()).contains("cannot write --report");
            assertThat(files()).isEqualTo(before);
            assertThat(folder.resolve("new")).doesNotExist();
        }
    }

    @Test
    void refusesTheSamePlaceForTheModelAndTheReport() throws IOException {
        fails(
                train("--model", in("x"), "--report", in("x")),
                files(),
                "--report",
                "is what --model writes, too");
        assertThat(train("--model", in("x")).exitCode()).isEqualTo(ExitCodes.OK);
        fails(
                train("--model", in("x"), "--report", in("x/manifest.json")),
                files(),
                "is what --model writes, too");
    }

    @Test
    void refusesToWriteOverWhatItReads() throws IOException {
        assertThat(train("--model", in("model")).exitCode()).isEqualTo(ExitCodes.OK);
        Files.createSymbolicLink(folder.resolve("link"), rows);
        for (String output : new String[] {rows.toString(), in("link"), in("./rows.libsvm")}) {
            fails(
                    TestingCommand.run(
                            "predict",
                            "--model",
                            in("model"),
                            "--input",
                            rows.toString(),
                            "--output",
                            output),
                    files(),
                    "--output",
                    "is a file of --input");
        }
        fails(
                TestingCommand.run(
                        "evaluate",
                        "--model",
                        in("model"),
                        "--test",
                        rows.toString(),
                        "--report",
                        rows.toString()),
                files(),
                "is a file of --test");
        fails(train("--report", rows.toString()), files(), "is a file of --input");
        fails(
                train("--initial-model", in("model"), "--report", in("model/manifest.json")),
                files(),
                "is a file of the model of --initial-model");
        fails(
                TestingCommand.run(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        rows.toString(),
                        "--output",
                        in("model/manifest.json")),
                files(),
                "is a file of the model of --model");
    }

    @Test
    void leavesNothingOfItInTheTargetOfALink() throws IOException {
        assertThat(train("--model", in("model")).exitCode()).isEqualTo(ExitCodes.OK);
        Files.writeString(folder.resolve("real.csv"), "old");
        Files.createSymbolicLink(folder.resolve("link.csv"), Path.of("real.csv"));
        Files.writeString(rows, "1 x:1\n", java.nio.file.StandardOpenOption.APPEND);
        fails(
                TestingCommand.run(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        rows.toString(),
                        "--output",
                        in("link.csv")),
                files(),
                "'x:1' is not index:value");
    }

    @Test
    void predictCopiesLabelsThatTheModelDoesNotKnow() throws IOException {
        assertThat(train("--model", in("model")).exitCode()).isEqualTo(ExitCodes.OK);
        Path asked = Files.writeString(folder.resolve("asked"), "99 0:1\nred 1:1\n-7:-1 2:1\n");
        String model = in("model");
        TestingCommand.succeeds(
                "predict", "--model", model, "--input", asked.toString(), "--output", in("p"));
        assertThat(Files.readAllLines(folder.resolve("p")))
                .extracting(line -> line.replaceFirst(",.*", ""))
                .containsExactly("label", "99", "", "-7");
        TestingCommand evaluate =
                TestingCommand.run("evaluate", "--model", model, "--test", asked.toString());
        assertThat(evaluate.err()).contains("asked:1:1: label '99' is out of range");
    }

    @Test
    void countsSkippedRowsWhereverTheyAre() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad"), "1 0:1\n1 x\n0 1:1\n1 y\n1 z:1\n");
        String[] skip = {"--on-bad-row", "skip"};
        TestingCommand train =
                TestingCommand.succeeds(
                        "train",
                        "--input",
                        rows + "," + bad,
                        "--test",
                        bad.toString(),
                        skip[0],
                        skip[1],
                        "--model",
                        in("model"),
                        "--report",
                        in("train.json"));
        assertThat(train.out()).contains("rows skipped    3 that could not be read");
        assertThat(train.out()).contains("test rows       2\n");
        assertThat(train.out()).contains("test skipped    3 rows that could not be read");
        JsonNode report = new ObjectMapper().readTree(folder.resolve("train.json").toFile());
        assertThat(report.get("skippedRows").asInt()).isEqualTo(3);
        assertThat(report.get("test").get("skippedRows").asInt()).isEqualTo(3);
        TestingCommand evaluate =
                TestingCommand.succeeds(
                        "evaluate",
                        "--model",
                        in("model"),
                        "--test",
                        bad.toString(),
                        skip[0],
                        skip[1],
                        "--report",
                        in("evaluate.json"));
        assertThat(evaluate.out()).contains("test skipped    3 rows that could not be read");
        report = new ObjectMapper().readTree(folder.resolve("evaluate.json").toFile());
        assertThat(report.get("test").get("skippedRows").asInt()).isEqualTo(3);
        TestingCommand predict =
                TestingCommand.succeeds(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        bad.toString(),
                        skip[0],
                        skip[1],
                        "--output",
                        in("scores.csv"));
        assertThat(predict.out())
                .contains("2 rows scored")
                .contains("3 rows skipped that could not be read");
        assertThat(Files.readAllLines(folder.resolve("scores.csv"))).hasSize(3);
    }

    @Test
    void reportsMeasuresThatAreNotDefinedAsNull() throws IOException {
        Path weightless = Files.writeString(folder.resolve("test"), "1:0 0:1\n0:0 1:1\n");
        TestingCommand.succeeds(
                "train",
                "--input",
                rows.toString(),
                "--test",
                weightless.toString(),
                "--report",
                in("r.json"));
        JsonNode test = new ObjectMapper().readTree(folder.resolve("r.json").toFile()).get("test");
        assertThat(test.get("rows").asInt()).isEqualTo(2);
        for (String measure : new String[] {"logloss", "auc", "accuracy"}) {
            assertThat(test.get(measure).isNull()).as(measure).isTrue();
        }
    }

    /** Standard output on a full disk. */
    @ParameterizedTest
    @ValueSource(strings = {"train", "model describe", "train --help"})
    void failsIfWhatItPrintsIsLost(String line) throws IOException {
        assertThat(train("--model", in("model")).exitCode()).isEqualTo(ExitCodes.OK);
        Map<String, String> before = files();
        StringWriter err = new StringWriter();
        Writer full =
                new Writer() {
                    @Override
                    public void write(char[] buffer, int from, int length) throws IOException {
                        throw new IOException("No space left on device");
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        String[] arguments =
                switch (line) {
                    case "train" -> new String[] {"train", "--model", in("other")};
                    case "model describe" -> new String[] {"model", "describe", in("model")};
                    default -> line.split(" ");
                };
        int code = Main.run(new PrintWriter(full), new PrintWriter(err, true), arguments);
        assertThat(err.toString().lines())
                .containsExactly("flink-ps: cannot write to standard output");
        assertThat(code).isEqualTo(ExitCodes.FAILED);
        assertThat(files()).isEqualTo(before);
    }
}
