package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each ends in one message, exit code 1 and no model. */
@ExtendWith(SharedFlink.class)
class BadInputITCase {
    @TempDir private Path folder;

    private String in(String name) {
        return folder.resolve(name).toString();
    }

    /** Runs a command that must fail with one line that says all of {@code parts}. */
    private void fails(List<String> arguments, String... parts) throws IOException {
        List<Path> before = files();
        TestingCommand command = TestingCommand.run(arguments.toArray(String[]::new));
        assertThat(command.err()).startsWith("flink-ps: ").contains(parts);
        assertThat(command.err().lines()).hasSize(1);
        assertThat(command.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(files()).isEqualTo(before);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.sorted().toList();
        }
    }

    private List<String> train(String... more) {
        Stream<String> fixed =
                Stream.of("train", "--model", in("model"), "--report", in("r.json"), "--quiet");
        return Stream.concat(fixed, Arrays.stream(more)).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    malformed row      | 1 3:x            | :3:5: |
                    label out of range | 2 3:1            | :3:1: label '2' is out of range: it must be 0, 1 or -1 |
                    no label           | x 3:1            | :3:1: label 'x' is not a number |
                    NaN                | 1 3:nan          | :3:5: |
                    infinite value     | 1 3:1e40         | :3:5: |
                    negative index     | 1 -3:1           | :3:3: |
                    dense table        | 1 2:1 10:1       | :3:7: | 10
                    row weight         | 1:-2 2:1         | :3:  | at least 0
                    """)
    void namesFileLineAndColumn(String name, String row, String place, String part)
            throws IOException {
        Path rows = folder.resolve("rows.libsvm");
        Files.writeString(rows, "1 1:1\n0 2:1\n" + row + "\n1 3:1\n");
        fails(
                train("--input", rows.toString(), "--features", "10"),
                rows + place,
                part == null ? "" : part);
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        Path rows = Files.createFile(folder.resolve("rows.libsvm"));
        fails(train("--input", rows.toString()), "--input: ", rows.toString(), "is empty");
    }

    @Test
    void refusesAFileWithoutRows() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.libsvm"), "# nothing\n\n");
        fails(train("--input", rows.toString()), "--input: ", rows.toString(), "holds no rows");
    }

    /**
     * The curves stay when no row has trained: what an earlier run has written is still what there
     * is to see.
     */
    @Test
    void leavesTheCurvesOfTheRunBefore() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.libsvm"), "1 1:1\n1 nonsense\n");
        Path curves = Files.writeString(folder.resolve("m.csv"), "of the run before\n");
        fails(
                train(
                        "--input",
                        rows.toString(),
                        "--metrics",
                        curves.toString(),
                        "--tensorboard",
                        in("events")),
                rows + ":2:3: ");
        assertThat(curves).hasContent("of the run before\n");
    }

    @Test
    void namesTheIndexThatNeedsMoreBits() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.libsvm"), "1 1:1\n0 2147483648:1\n");
        List<String> arguments = train("--input", rows.toString());
        fails(arguments, rows + ":2:3: feature index 2147483648 is beyond", "--key-bits");
        List<String> wide = new ArrayList<>(arguments);
        wide.addAll(List.of("--key-bits", "64"));
        assertThat(TestingCommand.run(wide.toArray(String[]::new)).exitCode()).isZero();
    }

    @Test
    void namesTheRowOfAnotherNumberOfEntries() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.libsvm"), "1 0:1 1:1 2:1\n0 1:1 2:1\n");
        fails(
                train("--input", rows.toString(), "--algorithm", "deep-fm", "--fields", "3"),
                rows + ":2:1: the row has 2 entries, where each row must have 3 (--fields 3)");
        fails(
                train("--input", rows.toString(), "--algorithm", "matrix-factorization"),
                rows + ":1:1: the row has 3 entries, where each row must have 2 (--algorithm");
        Files.writeString(rows, "1 0:1 7:1\n1 0:1 7:2\n");
        fails(
                train("--input", rows.toString(), "--algorithm", "skip-gram"),
                rows
                        + ":2:1: the row has value 2.0 for index 7, where values must be 1"
                        + " (--algorithm");
    }

    @ParameterizedTest
    @ValueSource(strings = {"softmax", "multi-layer-perceptron"})
    void refusesClassesThatAreCountedFromZeroAndFromOne(String algorithm) throws IOException {
        Path rows = folder.resolve("rows.libsvm");
        String[] command = {
            "--input", rows.toString(), "--algorithm", algorithm, "--classes", "3", "--workers", "1"
        };
        Files.writeString(rows, "1 1:1\n2 2:1\n0 2:1\n3 3:1\n");
        fails(train(command), "label 0 and rows of label 3, which are 4 classes: --classes 3");
        for (String one : List.of("0 2:1\n", "3 2:1\n")) {
            Files.writeString(rows, "1 1:1\n2 2:1\n" + one);
            List<String> arguments = new ArrayList<>(train(command));
            arguments.subList(1, 5).clear();
            TestingCommand.succeeds(arguments.toArray(String[]::new));
        }
    }

    @Test
    void refusesATruncatedGzip() throws IOException {
        Path whole = TestingRows.write(folder.resolve("rows.libsvm.gz"), 2000, 1);
        byte[] bytes = Files.readAllBytes(whole);
        Files.write(whole, Arrays.copyOf(bytes, bytes.length / 2));
        fails(train("--input", whole.toString()), whole.toString(), "truncated");
    }

    @Test
    void refusesGzipWithSomethingElseBehindIt() throws IOException {
        Path whole = TestingRows.write(folder.resolve("rows.libsvm.gz"), 200, 1);
        Files.write(whole, new byte[1000], StandardOpenOption.APPEND);
        TestingCommand.succeeds("train", "--input", whole.toString(), "--quiet");
        Files.writeString(whole, "1 2:1", StandardOpenOption.APPEND);
        fails(train("--input", whole.toString()), whole.toString(), "gzip file is damaged");
    }

    @Test
    void saysThatGzipIsDamagedRatherThanARow() throws IOException {
        Path whole = TestingRows.write(folder.resolve("rows.libsvm.gz"), 2000, 1);
        byte[] bytes = Files.readAllBytes(whole);
        for (int at : new int[] {bytes.length / 3, bytes.length / 2, bytes.length - 6}) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 4;
            Files.write(whole, damaged);
            fails(train("--input", whole.toString()), whole.toString(), "gzip file is damaged");
        }
    }

    @Test
    void leavesNoModelWhenTheTestRowsAreBad() throws IOException {
        Path rows = TestingRows.write(folder.resolve("rows.libsvm"), 200, 1);
        Path test = Files.writeString(folder.resolve("test.libsvm"), "1 1:1\n5 1:1\n");
        fails(
                train("--input", rows.toString(), "--test", test.toString()),
                test + ":2:1: label '5' is out of range");
    }

    @Test
    void refusesGradientsThatAreNotFinite() throws IOException {
        Path rows = folder.resolve("rows.libsvm");
        Files.writeString(rows, "1 1:3e38\n0 1:-3e38\n".repeat(200));
        fails(
                train(
                        "--input",
                        rows.toString(),
                        "--tuning",
                        "off",
                        "--optimizer",
                        "sgd",
                        "--learning-rate",
                        "1e30"),
                "weights");
    }

    /** The last push is seen by no later pull. */
    @Test
    void savesNoModelThatIsNotFinite() throws IOException {
        Path rows = folder.resolve("rows.libsvm");
        Files.writeString(rows, "1 1:3e19\n0 1:-3e19\n".repeat(200));
        fails(
                train(
                        "--input",
                        rows.toString(),
                        "--tuning",
                        "off",
                        "--optimizer",
                        "sgd",
                        "--learning-rate",
                        "1e30",
                        "--epochs",
                        "1",
                        "--workers",
                        "1",
                        "--batch-size",
                        "1000"),
                "weights",
                "learning rate");
        assertThat(folder.resolve("model")).doesNotExist();
    }

    @Test
    void refusesRowsOfWhichTheModelKnowsNothing() throws IOException {
        Path rows = TestingRows.write(folder.resolve("rows.libsvm"), 200, 1);
        Path other = Files.writeString(folder.resolve("other.libsvm"), "1 900:1 901:1\n0 902:1\n");
        String why = ": the model knows none of the features of the 2 rows of " + other;
        fails(train("--input", rows.toString(), "--test", other.toString()), "--test" + why);
        List<String> train =
                List.of("train", "--input", rows.toString(), "--model", in("model"), "--quiet");
        TestingCommand.succeeds(train.toArray(String[]::new));
        List<String> predict =
                List.of(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        other.toString(),
                        "--output",
                        in("out.csv"));
        fails(predict, "--input: none of the 2 rows has a feature that the model knows");
        List<String> plain = new ArrayList<>(train);
        plain.addAll(List.of("--tuning", "off"));
        TestingCommand.succeeds(plain.toArray(String[]::new));
        fails(predict, "--input" + why);
        List<String> columns = new ArrayList<>(predict);
        columns.addAll(List.of("--columns", "a,b"));
        TestingCommand refused = TestingCommand.run(columns.toArray(String[]::new));
        assertThat(refused.err()).contains("--columns goes with a model that was trained on csv");
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
        Files.writeString(other, "0\n1 0:1\n", StandardOpenOption.APPEND);
        TestingCommand.succeeds(predict.toArray(String[]::new));
        Files.writeString(other, "0\n1\n");
        TestingCommand.succeeds(predict.toArray(String[]::new));
    }

    @Test
    void refusesAModelThatWasAltered() throws IOException {
        Path rows = TestingRows.write(folder.resolve("rows.libsvm"), 200, 1);
        TestingCommand.succeeds(
                "train", "--input", rows.toString(), "--model", in("model"), "--quiet");
        Path largest;
        try (Stream<Path> found = Files.walk(folder.resolve("model"))) {
            largest =
                    found.filter(path -> path.toString().endsWith(".arrow"))
                            .max(Comparator.comparingLong(path -> path.toFile().length()))
                            .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(largest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(largest, bytes);
        String file = largest.getFileName().toString();
        fails(List.of("model", "describe", in("model")), file, "damaged");
        fails(
                List.of(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        rows.toString(),
                        "--output",
                        in("out.csv")),
                file,
                "damaged");
        fails(
                List.of("evaluate", "--model", in("model"), "--test", rows.toString()),
                file,
                "damaged");
        fails(
                List.of(
                        "train",
                        "--input",
                        rows.toString(),
                        "--initial-model",
                        in("model"),
                        "--model",
                        in("other")),
                file,
                "damaged");
        Files.writeString(folder.resolve("model/manifest.json"), "{}");
        fails(List.of("model", "describe", in("model")), "manifest.json is damaged");
    }

    @Test
    void saysThatTheDiskIsFull() throws IOException {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/dev/full")));
        Path rows = TestingRows.write(folder.resolve("rows.libsvm"), 200, 1);
        TestingCommand.succeeds(
                "train", "--input", rows.toString(), "--model", in("model"), "--quiet");
        fails(
                List.of(
                        "evaluate",
                        "--model",
                        in("model"),
                        "--test",
                        rows.toString(),
                        "--report",
                        "/dev/full",
                        "--quiet"),
                "cannot write --report /dev/full: No space left on device");
        fails(
                List.of(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        rows.toString(),
                        "--output",
                        "/dev/full"),
                "cannot write --output /dev/full: No space left on device");
    }

    /** A limit on the size of files is as near to a full disk as any machine allows. */
    @Test
    void leavesNoModelWhenItsFilesCannotBeWritten() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")));
        Path rows = TestingRows.write(folder.resolve("rows.libsvm"), 2000, 1);
        List<Path> before = files();
        try (TestingProcess process =
                TestingProcess.start(
                        "train",
                        "--input",
                        rows.toString(),
                        "--model",
                        in("model"),
                        "--epochs",
                        "300")) {
            process.awaitLine("epoch 1/");
            process.limitFileSize(1024);
            assertThat(process.awaitExit()).as("%s", process.err()).isEqualTo(ExitCodes.FAILED);
            assertThat(process.err()).hasSize(1);
            assertThat(process.err().get(0)).contains("cannot write").contains("File too large");
        }
        assertThat(files()).isEqualTo(before);
    }
}
