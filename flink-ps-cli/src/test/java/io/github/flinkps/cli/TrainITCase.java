package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedFlink.class)
class TrainITCase {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Trains on all 600 rows at a time, with the optimizer as it is given. */
    private static final String[] ALL_AT_ONCE = {
        "train", "--workers", "1", "--batch-size", "600", "--tuning", "off", "--quiet"
    };

    @TempDir private Path folder;
    private Path rows;

    @BeforeEach
    void writeRows() throws IOException {
        rows = TestingRows.write(folder.resolve("rows.libsvm"), TestingRows.ROWS, 1);
    }

    private JsonNode report(String name) throws IOException {
        return JSON.readTree(folder.resolve(name).toFile());
    }

    private static List<String> fields(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private String in(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void trainsPredictsEvaluatesDescribes() throws Exception {
        Path test = TestingRows.write(folder.resolve("test.libsvm.gz"), 100, 2);
        TestingCommand train =
                TestingCommand.succeeds(
                        "train",
                        "--input",
                        rows.toString(),
                        "--test",
                        test.toString(),
                        "--model",
                        in("model"),
                        "--report",
                        in("train.json"),
                        "--epochs",
                        "3");
        assertThat(train.err()).isEmpty();
        assertThat(train.out())
                .contains("epoch 1/3 ", "epoch 3/3 ")
                .contains("rows            600 x 3 passes")
                .contains("test accuracy ")
                .contains("model           " + in("model"));
        checkTrainReport();

        TestingCommand.succeeds(
                "evaluate",
                "--model",
                in("model"),
                "--test",
                test.toString(),
                "--report",
                in("evaluate.json"),
                "--quiet");
        JsonNode measured = report("evaluate.json");
        assertThat(measured.get("test")).isEqualTo(report("train.json").get("test"));
        assertThat(measured.get("model")).isEqualTo(report("train.json").get("model"));
        checkCalibration(measured, test);

        TestingCommand predict =
                TestingCommand.succeeds(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        test + "," + rows,
                        "--output",
                        in("scores.csv"));
        assertThat(predict.out()).contains("700 rows scored");
        checkScores();

        checkDescription();
        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder(
                        "rows.libsvm",
                        "test.libsvm.gz",
                        "model",
                        "train.json",
                        "evaluate.json",
                        "scores.csv");
    }

    private void checkCalibration(JsonNode measured, Path test) {
        long counted = 0;
        for (JsonNode bin : measured.get("test").get("calibration")) {
            counted += bin.get("rows").asLong();
        }
        assertThat(counted).isEqualTo(100);
        assertThat(
                        TestingCommand.succeeds(
                                        "evaluate",
                                        "--model",
                                        in("model"),
                                        "--test",
                                        test.toString())
                                .out())
                .containsPattern(
                        "\n"
                            + "calibration     mean score 0\\.\\d{4}  label 1 in \\d\\.\\d{4}  of"
                            + " \\d+ row");
    }

    private void checkDescription() {
        TestingCommand describe = TestingCommand.succeeds("model", "describe", in("model"));
        assertThat(describe.out())
                .contains("algorithm       logistic-regression")
                .contains("table           weights: sparse, ")
                .contains("table           bias: dense, 1 row of width 1 in 1 partition, ")
                .contains("checksums       all files verified");
    }

    private void checkTrainReport() throws IOException {
        JsonNode report = report("train.json");
        assertThat(fields(report))
                .containsExactly(
                        "trainRows",
                        "skippedRows",
                        "epochs",
                        "seconds",
                        "trainSeconds",
                        "rowsPerSecond",
                        "bytesSentPerRow",
                        "bytesReceivedPerRow",
                        "test",
                        "model");
        assertThat(report.get("trainRows").asLong()).isEqualTo(600);
        assertThat(report.get("epochs").asInt()).isEqualTo(3);
        double trainSeconds = report.get("trainSeconds").asDouble();
        assertThat(trainSeconds).isPositive().isLessThan(report.get("seconds").asDouble());
        assertThat(report.get("rowsPerSecond").asDouble() * trainSeconds).isBetween(1799.0, 1801.0);
        assertThat(report.get("bytesSentPerRow").asDouble()).isPositive();
        assertThat(report.get("bytesReceivedPerRow").asDouble()).isPositive();
        JsonNode test = report.get("test");
        assertThat(fields(test))
                .containsExactly(
                        "rows",
                        "skippedRows",
                        "constant",
                        "calibration",
                        "logloss",
                        "auc",
                        "accuracy");
        assertThat(test.get("rows").asLong()).isEqualTo(100);
        assertThat(test.get("accuracy").asDouble()).isGreaterThan(0.85);
        assertThat(test.get("auc").asDouble()).isGreaterThan(0.85);
        JsonNode model = report.get("model");
        assertThat(fields(model)).containsExactly("path", "parameters", "bytes");
        assertThat(model.get("path").asText()).isEqualTo(in("model"));
        assertThat(model.get("parameters").asLong()).isEqualTo(53);
        assertThat(model.get("bytes").asLong()).isPositive();
    }

    private void checkScores() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("scores.csv"));
        assertThat(lines.get(0)).isEqualTo("label,score");
        List<String> expected = new ArrayList<>();
        expected.addAll(TestingRows.text(100, 2).lines().toList());
        expected.addAll(TestingRows.text(TestingRows.ROWS, 1).lines().toList());
        assertThat(lines).hasSize(1 + expected.size());
        for (int i = 0; i < expected.size(); i++) {
            String[] cells = lines.get(1 + i).split(",");
            assertThat(cells[0]).isEqualTo(expected.get(i).startsWith("+1") ? "1" : "-1");
            boolean high = Float.parseFloat(cells[1]) > 0.5f;
            assertThat(high).as("row %d", i).isEqualTo(expected.get(i).split(" ")[1].equals("0:1"));
        }
    }

    @ParameterizedTest
    @CsvSource({"ftrl, 0.5", "adam, 1.0E-4", "adagrad, 0.001"})
    void goesOnFromAModelWithItsSlotsAsIfWithoutABreak(String optimizer, String l1)
            throws Exception {
        String[] common = concat(ALL_AT_ONCE, "--input", rows.toString());
        String[] chosen = {"--optimizer", optimizer, "--l1", l1, "--save-slots"};
        run(common, concat(chosen, "--epochs", "2", "--model", in("two")));
        run(common, concat(chosen, "--epochs", "1", "--model", in("one")));
        run(
                common,
                "--epochs",
                "1",
                "--initial-model",
                in("one"),
                "--model",
                in("on"),
                "--save-slots");
        String described = TestingCommand.succeeds("model", "describe", in("on")).out();
        assertThat(described).contains("optimizer=" + optimizer).contains("l1=" + l1);
        scores("two");
        scores("on");
        assertThat(folder.resolve("on.csv")).hasSameTextualContentAs(folder.resolve("two.csv"));
    }

    private static String[] concat(String[] first, String... more) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    /** Weights saved without what the optimizer keeps beside them are still where it begins. */
    @ParameterizedTest
    @ValueSource(strings = {"ftrl", "adagrad", "adam"})
    void goesOnFromTheValuesOfAModelWithoutSlots(String optimizer) throws Exception {
        String[] common = concat(ALL_AT_ONCE, "--input", rows.toString());
        run(common, "--optimizer", optimizer, "--epochs", "2", "--model", in("one"));
        run(
                common,
                "--optimizer",
                optimizer,
                "--epochs",
                "1",
                "--learning-rate",
                "1e-9",
                "--initial-model",
                in("one"),
                "--model",
                in("on"));
        List<Float> before = scores("one");
        List<Float> after = scores("on");
        for (int row = 0; row < before.size(); row++) {
            assertThat(after.get(row)).isCloseTo(before.get(row), within(1e-3f));
        }
    }

    private static void run(String[] common, String... more) {
        List<String> arguments = new ArrayList<>(List.of(common));
        arguments.addAll(List.of(more));
        TestingCommand command = TestingCommand.succeeds(arguments.toArray(String[]::new));
        assertThat(command.out() + command.err()).isEmpty();
    }

    private List<Float> scores(String model) throws IOException {
        TestingCommand.succeeds(
                "predict",
                "--model",
                in(model),
                "--input",
                rows.toString(),
                "--output",
                in(model + ".csv"),
                "--quiet");
        return Files.readAllLines(folder.resolve(model + ".csv")).stream()
                .skip(1)
                .map(line -> Float.valueOf(line.substring(line.indexOf(',') + 1)))
                .toList();
    }

    private static int models(ParameterClient client) throws Exception {
        return client.stats(Duration.ofSeconds(10)).get(10, TimeUnit.SECONDS).get(0).models();
    }

    @Test
    void leavesTheModelThatHasANameOnRemoteServers() throws Exception {
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(server.address()), ClientConfig.defaults())) {
            for (int again = 0; again < 2; again++) {
                TestingCommand train =
                        TestingCommand.succeeds(
                                "train",
                                "--input",
                                rows.toString(),
                                "--test-share",
                                ".3",
                                "--remote",
                                server.address(),
                                "--model-name",
                                "ads-ctr",
                                "--model",
                                in("model" + again));
                assertThat(train.out()).contains("1 remote server with model 'ads-ctr'");
                assertThat(models(client)).isEqualTo(1);
            }
            TestingCommand.succeeds(
                    "evaluate",
                    "--test",
                    rows.toString(),
                    "--remote",
                    server.address(),
                    "--model-name",
                    "ads-ctr",
                    "--model",
                    in("model1"));
            assertThat(models(client)).as("that which was scored with is gone").isEqualTo(1);
            ModelSession session =
                    client.open(
                                    new SessionSpec(
                                            "ads-ctr",
                                            "reader",
                                            0,
                                            SessionSpec.NO_WORKER,
                                            1,
                                            ConsistencySpec.asp(),
                                            Duration.ofSeconds(10)))
                            .get(10, TimeUnit.SECONDS);
            double norm =
                    session.aggregate("weights", "norm", List.of())
                            .get(10, TimeUnit.SECONDS)
                            .values()[0];
            assertThat(norm).isPositive();
        }
        TestingCommand embedded =
                TestingCommand.run("train", "--rows", "10", "--model-name", "ads-ctr");
        assertThat(embedded.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(embedded.err()).contains("model-name goes with remote");
    }

    @Test
    void trainsOnRemoteServersAndLeavesNothingThere() throws Exception {
        try (ParameterServer one = ParameterServer.start(ServerConfig.defaults());
                ParameterServer two = ParameterServer.start(ServerConfig.defaults());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(one.address(), two.address()), ClientConfig.defaults())) {
            String remote = one.address() + "," + two.address();
            TestingCommand.succeeds(
                    "train",
                    "--input",
                    rows.toString(),
                    "--test-share",
                    ".3",
                    "--remote",
                    remote,
                    "--consistency",
                    "ssp",
                    "--staleness",
                    "2",
                    "--prefetch",
                    "2",
                    "--workers",
                    "3",
                    "--features",
                    "52",
                    "--model",
                    in("model"),
                    "--report",
                    in("r.json"));
            JsonNode report = report("r.json");
            long testRows = report.get("test").get("rows").asLong();
            assertThat(testRows).isBetween(130L, 230L);
            assertThat(report.get("trainRows").asLong()).isEqualTo(TestingRows.ROWS - testRows);
            assertThat(report.get("test").get("accuracy").asDouble()).isGreaterThan(0.85);
            assertThat(models(client)).isZero();
        }
    }

    @Test
    void trainsOnAGeneratedClickLogAndComesNearTheBest() {
        TestingCommand command =
                TestingCommand.succeeds("train", "--rows", "40000", "--optimizer", "ftrl");
        Matcher line =
                Pattern.compile("test logloss +([0-9.]+) \\(best reachable ([0-9.]+), a constant")
                        .matcher(command.out());
        assertThat(line.find()).as(command.out()).isTrue();
        assertThat(Double.parseDouble(line.group(1)) - Double.parseDouble(line.group(2)))
                .isBetween(-0.005, 0.05);
    }

    /** A rate that no model stands; columns of very different scale; a few rows of many columns. */
    @Test
    void saysThatNothingWasLearned() throws Exception {
        Path rows = TestingRows.write(folder.resolve("warned"), 400, 1);
        TestingCommand far =
                TestingCommand.succeeds(
                        "train",
                        "--input",
                        rows.toString(),
                        "--optimizer",
                        "sgd",
                        "--learning-rate",
                        "1e30",
                        "--test",
                        rows.toString());
        assertThat(far.err())
                .contains("flink-ps: warning: nothing was learned: the loss of the last pass, ")
                .contains("--learning-rate");
        TestingCommand good =
                TestingCommand.succeeds(
                        "train", "--input", rows.toString(), "--test", rows.toString());
        assertThat(good.err()).isEmpty();
        assertThat(good.out())
                .containsPattern("test logloss +0\\.[0-9]{4} \\(a constant reaches 0\\.");
        Path report = folder.resolve("warned.json");
        Path model = folder.resolve("of-others");
        Path others = TestingRows.write(folder.resolve("others"), 400, 1);
        List<String> turned = new ArrayList<>();
        for (String line : Files.readAllLines(others)) {
            turned.add((line.startsWith("+") ? "-1" : "+1") + line.substring(line.indexOf(' ')));
        }
        Files.write(others, turned);
        TestingCommand.succeeds(
                "train",
                "--input",
                others.toString(),
                "--model",
                model.toString(),
                "--epochs",
                "9");
        TestingCommand worse =
                TestingCommand.succeeds(
                        "evaluate",
                        "--model",
                        model.toString(),
                        "--test",
                        rows.toString(),
                        "--report",
                        report.toString());
        assertThat(worse.err())
                .contains(
                        "warning: the model is worse than a constant on the test rows:"
                                + " logloss");
        JsonNode test = new ObjectMapper().readTree(report.toFile()).get("test");
        assertThat(test.get("constant").get("logloss").asDouble())
                .isLessThan(test.get("logloss").asDouble());
    }

    @Test
    void skipsAndCountsBadRows() throws Exception {
        Files.writeString(rows, "nonsense\n1 2:x\n7 1:1\n", StandardOpenOption.APPEND);
        TestingCommand command =
                TestingCommand.succeeds(
                        "train",
                        "--input",
                        rows.toString(),
                        "--on-bad-row",
                        "skip",
                        "--epochs",
                        "1");
        assertThat(command.out())
                .contains("rows            600 x 1 pass\n")
                .contains("rows skipped    3 that could not be read");
    }

    @Test
    void replacesAModelOnlyByAWholeOne() throws Exception {
        String[] train = {
            "train", "--input", rows.toString(), "--epochs", "1", "--model", in("model"), "--quiet"
        };
        TestingCommand.succeeds(train);
        String before = TestingCommand.succeeds("model", "describe", in("model")).out();
        Files.writeString(rows, "1 nonsense\n", StandardOpenOption.APPEND);
        assertThat(TestingCommand.run(train).exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(TestingCommand.succeeds("model", "describe", in("model")).out())
                .isEqualTo(before);
        TestingRows.write(rows, 50, 3);
        TestingCommand.succeeds(train);
        assertThat(TestingCommand.succeeds("model", "describe", in("model")).out())
                .isNotEqualTo(before);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("rows.libsvm", "model");
    }
}
