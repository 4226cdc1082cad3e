package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the quality that default options reach on real data, in every shape of a job. For a9a
 * liblinear's L2-regularised logistic regression reaches an accuracy of .8495 and a logloss of
 * .3241.
 */
@ExtendWith(SharedFlink.class)
class RealDataITCase {
    private static final double LEAST_ACCURACY = 0.848;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<ParameterServer> SERVERS = new ArrayList<>();

    @TempDir private Path folder;

    @BeforeAll
    static void startServers() {
        for (int i = 0; i < 3; i++) {
            SERVERS.add(ParameterServer.start(ServerConfig.defaults()));
        }
    }

    @AfterAll
    static void stopServers() {
        SERVERS.forEach(ParameterServer::close);
        SERVERS.clear();
    }

    private static String remote(int servers) {
        return String.join(
                ",", SERVERS.subList(0, servers).stream().map(ParameterServer::address).toList());
    }

    /** Consistency and servers; the numbers of workers of one shape are compared in one test. */
    static Stream<List<String>> shapes() {
        List<List<String>> shapes = new ArrayList<>();
        for (String consistency : List.of("bsp", "ssp --staleness 4", "asp")) {
            for (int servers : new int[] {1, 3}) {
                for (String place : List.of("--servers", "--remote")) {
                    shapes.add(
                            List.of(
                                    "--consistency " + consistency,
                                    place,
                                    Integer.toString(servers)));
                }
            }
        }
        return shapes.stream();
    }

    private static double accuracy(JsonNode result) {
        return result.get("accuracy").asDouble();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void learnsIncomesWithAnyNumberOfWorkers(List<String> shape) throws IOException {
        Path rows = RealData.path("a9a/a9a.libsvm");
        Path test = RealData.path("a9a/a9a.t.libsvm");
        String servers = shape.get(2);
        if (shape.get(1).equals("--remote")) {
            servers = remote(Integer.parseInt(servers));
        }
        double logloss = Double.NaN;
        for (String workers : List.of("1", "2", "4")) {
            String[] arguments = {
                "--input",
                rows.toString(),
                "--test",
                test.toString(),
                "--workers",
                workers,
                shape.get(1),
                servers,
                shape.get(0)
            };
            JsonNode result = train(arguments);
            if (shape.get(0).endsWith("asp") && accuracy(result) < LEAST_ACCURACY) {
                // There it is chance whose updates meet, and one run in some hundreds is below.
                List<JsonNode> runs =
                        new ArrayList<>(List.of(result, train(arguments), train(arguments)));
                runs.sort(Comparator.comparingDouble(RealDataITCase::accuracy));
                result = runs.get(1);
            }
            assertThat(accuracy(result))
                    .as("accuracy with %s workers", workers)
                    .isGreaterThanOrEqualTo(LEAST_ACCURACY);
            double reached = result.get("logloss").asDouble();
            assertThat(reached).as("logloss with %s workers", workers).isLessThanOrEqualTo(0.326);
            logloss = workers.equals("1") ? reached : logloss;
            assertThat(Math.abs(reached - logloss))
                    .as("difference of %s workers' logloss to one's", workers)
                    .isLessThanOrEqualTo(0.002);
        }
    }

    @Test
    void learnsMushrooms() throws IOException {
        JsonNode result =
                train(
                        "--input", RealData.path("agaricus/agaricus.txt.train").toString(),
                        "--test", RealData.path("agaricus/agaricus.txt.test").toString());
        assertThat(result.get("accuracy").asDouble()).isGreaterThanOrEqualTo(0.995);
    }

    /** Shows what docs/push-filters.md says. */
    @ParameterizedTest
    @ValueSource(strings = {"adagrad", "adam"})
    void insignificantUpdatesNeedNotBePushedAtOnce(String optimizer) throws IOException {
        String line =
                ("--input %s --test %s --algorithm factorization-machine --factors 16 --tuning off"
                                + " --optimizer %s")
                        .formatted(
                                RealData.path("a9a/a9a.libsvm"),
                                RealData.path("a9a/a9a.t.libsvm"),
                                optimizer);
        double logloss = train(line).get("logloss").asDouble();
        double bytes = bytesSent();
        double filtered = train(line, "--significance-threshold .3").get("logloss").asDouble();
        assertThat(bytesSent()).isPositive().isLessThan(bytes / 2);
        assertThat(filtered).isLessThan(logloss + .002);
        filtered = train(line, "--push-share .2").get("logloss").asDouble();
        assertThat(bytesSent()).isPositive().isLessThan(.55 * bytes);
        assertThat(filtered).isLessThan(logloss + .002);
    }

    /** Shows what docs/encodings.md says. */
    @ParameterizedTest
    @ValueSource(strings = {"FP16", "BF16", "INT8"})
    void roundedValuesTakeLessAndCostNothing(String encoding) throws IOException {
        String line =
                "--input %s --test %s --algorithm factorization-machine --factors 16 --tuning off"
                        .formatted(
                                RealData.path("a9a/a9a.libsvm"), RealData.path("a9a/a9a.t.libsvm"));
        double logloss = train(line).get("logloss").asDouble();
        double sent = bytesSent();
        double received = bytes("bytesReceivedPerRow");
        String encodings = " --push-encoding %s --pull-encoding %s".formatted(encoding, encoding);
        double rounded = train(line + encodings).get("logloss").asDouble();
        assertThat(bytesSent()).isPositive().isLessThan(.65 * sent);
        assertThat(bytes("bytesReceivedPerRow")).isPositive().isLessThan(.6 * received);
        assertThat(rounded).isLessThan(logloss + .0005);
    }

    private double bytes(String field) throws IOException {
        return JSON.readTree(folder.resolve("report.json").toFile()).get(field).asDouble();
    }

    /** Returns the bytes sent per row of the last training. */
    private double bytesSent() throws IOException {
        return bytes("bytesSentPerRow");
    }

    private JsonNode train(String... options) throws IOException {
        Path report = folder.resolve("report.json");
        List<String> arguments = new ArrayList<>(List.of("train", "--quiet", "--report"));
        arguments.add(report.toString());
        Arrays.stream(options).flatMap(each -> Stream.of(each.split(" "))).forEach(arguments::add);
        TestingCommand.succeeds(arguments.toArray(String[]::new));
        return JSON.readTree(report.toFile()).get("test");
    }

    /**
     * Shows that, in step and with a seed, the parameters depend on the number of workers alone.
     */
    @Test
    void isBitIdenticalWhateverTheServers() throws IOException {
        Path rows = RealData.path("agaricus/agaricus.txt.train");
        ModelValues first = null;
        for (String servers :
                List.of("--servers 1", "--servers 3", "--servers 3", "--remote " + remote(2))) {
            Path model = folder.resolve("model");
            String line =
                    "train --quiet --epochs 2 --workers 3 --seed 7 --input %s --model %s %s"
                            .formatted(rows, model, servers);
            TestingCommand.succeeds(line.split(" "));
            ModelValues parameters = ModelValues.read(model);
            assertThat(parameters.tables()).containsOnlyKeys("weights", "bias");
            assertThat(parameters.table("weights")).hasSizeGreaterThan(100);
            first = first == null ? parameters : first;
            assertThat(parameters).as(servers).isEqualTo(first);
        }
    }

    /** A fifth of the digits test; softmax is said to reach .9345 on the last 2,000. */
    @Test
    void learnsDigits() throws IOException {
        Path images = RealData.path("mnist/t10k-images-idx3-ubyte.gz");
        Path labels = RealData.path("mnist/t10k-labels-idx1-ubyte.gz");
        Path model = folder.resolve("digits");
        TestingCommand.succeeds(
                "train",
                "--quiet",
                "--format",
                "idx",
                "--input",
                images + "," + labels,
                "--test-share",
                "0.2",
                "--algorithm",
                "softmax",
                "--classes",
                "10",
                "--features",
                "784",
                "--learning-rate",
                "0.05",
                "--model",
                model.toString(),
                "--report",
                folder.resolve("digits.json").toString());
        JsonNode test = JSON.readTree(folder.resolve("digits.json").toFile()).get("test");
        assertThat(test.get("accuracy").asDouble()).isGreaterThan(.9);
        TestingCommand.succeeds(
                "predict",
                "--model",
                model.toString(),
                "--input",
                images.toString(),
                "--output",
                folder.resolve("digits.csv").toString());
        List<String> scores = Files.readAllLines(folder.resolve("digits.csv"));
        assertThat(scores).hasSize(10_001);
        assertThat(scores.get(0)).startsWith("label,score,score_0,").endsWith(",score_9");
        assertThat(scores.get(1)).startsWith(",7,"); // without labels; the first is a seven
    }
}
