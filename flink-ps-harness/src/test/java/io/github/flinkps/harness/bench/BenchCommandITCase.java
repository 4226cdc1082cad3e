package io.github.flinkps.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchCommandITCase {
    private static final List<String> FIELDS =
            List.of(
                    "case",
                    "op",
                    "keys",
                    "width",
                    "servers",
                    "clients",
                    "keysPerSecond",
                    "gigabytesPerSecond",
                    "p50Micros",
                    "p99Micros",
                    "p999Micros");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void measuresEveryCaseAndLeavesNoProcess(@TempDir Path folder) throws Exception {
        Path report = folder.resolve("report.json");
        assertThat(run("--quick", "--seconds", "0.02", "--report", report.toString()))
                .as(err.toString())
                .isZero();

        JsonNode rows = new ObjectMapper().readTree(Files.readString(report));
        assertThat(rows.isArray()).isTrue();
        Set<String> cases = new TreeSet<>();
        for (JsonNode row : rows) {
            assertThat(row.fieldNames()).toIterable().containsExactlyElementsOf(FIELDS);
            assertThat(row.get("case").asText()).matches("(dense|sparse).*");
            assertThat(row.get("keysPerSecond").asDouble()).isPositive();
            assertThat(row.get("gigabytesPerSecond").asDouble()).isPositive();
            double median = row.get("p50Micros").asDouble();
            assertThat(median).isPositive();
            assertThat(row.get("p99Micros").asDouble()).isGreaterThanOrEqualTo(median);
            assertThat(row.get("p999Micros").asDouble())
                    .isGreaterThanOrEqualTo(row.get("p99Micros").asDouble());
            cases.add(
                    row.get("case").asText()
                            + " "
                            + row.get("op").asText()
                            + " "
                            + row.get("keys")
                            + " "
                            + row.get("width"));
        }
        assertThat(cases)
                .hasSameSizeAs(rows)
                .contains(
                        "dense push 1000 1",
                        "dense pull 10000 1",
                        "dense-small pull 100 1",
                        "sparse-1k-cached push 1000 16",
                        "sparse-16k-sent pull 1000 1",
                        "sparse-16k-delta push 1000 1");
        assertThat(out.toString().lines()).hasSize(1 + rows.size());
        assertThat(ProcessHandle.current().children())
                .noneMatch(
                        child ->
                                child.info()
                                        .commandLine()
                                        .orElse("")
                                        .contains(BenchProcess.class.getName()));
    }

    @Test
    void severalServersAndClientsShareTheTables() {
        assertThat(
                        run(
                                "--quick",
                                "--seconds=0.02",
                                "--servers=2",
                                "--clients=2",
                                "--in-flight=2",
                                "--cases=sparse,dense"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).doesNotContain("small").contains("sparse-1k-cached");
    }

    @Test
    void measuresEncryptedServersBesidePlainOnes() throws Exception {
        List<Path> before = foldersOf("flink-ps-bench-keys-");
        assertThat(run("--quick", "--seconds=0.02", "--tls", "--cases=dense,small"))
                .as(err.toString())
                .isZero();
        List<String> cases =
                out.toString().lines().skip(1).map(line -> line.split(" +")[0]).toList();
        assertThat(cases).hasSize(12);
        for (int i = 0; i < cases.size(); i += 2) {
            assertThat(cases.get(i)).isEqualTo(cases.get(i + 1) + "-tls");
        }
        assertThat(out.toString()).contains("of plain", "dense-small-waiting-tls", "ratio 0.8");
        assertThat(foldersOf("flink-ps-bench-keys-")).isEqualTo(before);
    }

    @Test
    void measuresWhatCutsCostAndRemovesThem(@TempDir Path folder) throws Exception {
        List<Path> before = foldersOf("flink-ps-bench-cut-");
        Path report = folder.resolve("cut.json");
        assertThat(
                        run(
                                "--cut",
                                "--quick",
                                "--seconds=0.5",
                                "--servers=2",
                                "--report",
                                report.toString()))
                .as(err.toString())
                .isZero();
        JsonNode rows = new ObjectMapper().readTree(Files.readString(report));
        assertThat(rows.findValuesAsText("part"))
                .containsExactly(
                        "fill", "without", "full", "without", "increment", "without", "storage");
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(2 + rows.size() + 1);
        assertThat(lines.get(lines.size() - 1))
                .contains("Longest step while a cut was taken", "aim < 50 ms: ", "met");
        JsonNode full = rows.get(2);
        assertThat(full.get("rows").asLong()).isEqualTo(1 << 14);
        assertThat(full.get("writtenBytes").asLong())
                .isGreaterThan(full.get("modelBytes").asLong());
        assertThat(rows.get(4).get("rows").asLong()).isBetween(1L, 1L << 14);
        assertThat(rows.get(6).get("writtenBytes").asLong()).isPositive();
        for (JsonNode row : List.of(rows.get(1), full, rows.get(3), rows.get(4), rows.get(5))) {
            assertThat(row.get("durable").asBoolean()).isTrue();
            assertThat(row.get("workers").asInt()).isEqualTo(2);
            assertThat(row.get("stepsPerSecond").asDouble()).isPositive();
            assertThat(row.get("p50Millis").asDouble()).isPositive();
            double longest = row.get("longestMillis").asDouble();
            assertThat(longest).isPositive();
            assertThat(row.get("stallMillis").asDouble()).isPositive();
            assertThat(row.get("p999Millis").asDouble()).isLessThanOrEqualTo(longest);
            assertThat(row.get("p99Millis").asDouble())
                    .isLessThanOrEqualTo(row.get("p999Millis").asDouble());
        }
        assertThat(before).containsAll(foldersOf("flink-ps-bench-cut-"));
    }

    /** Returns folders of runs, also those that a killed run has left. */
    private static List<Path> foldersOf(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(path -> path.getFileName().toString().startsWith(prefix)).toList();
        }
    }

    @Test
    void serversCollectMemoryAsThoseOfTheScript() throws Exception {
        assertThat(Files.readString(Path.of("..", "bin", "flink-ps")))
                .contains("(" + String.join(" ", ChildProcess.SERVER_OPTIONS) + ")");
    }

    @Test
    void aCutIsMeasuredAlone() {
        assertThat(run("--cut", "--cases=dense")).isEqualTo(2);
        assertThat(err.toString()).contains("--cut and --cases exclude each other");
        assertThat(run("--cut", "--tls")).isEqualTo(2);
        assertThat(err.toString()).contains("--cut and --tls exclude each other");
    }

    @Test
    void aChildEndsWithItsInput() {
        ChildProcess child = ChildProcess.bare(1, Map.of());
        assertThat(child.isAlive()).isTrue();
        child.close();
        assertThat(child.isAlive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--servers=0",
                "--clients=65",
                "--in-flight=0",
                "--seconds=0",
                "--seconds=NaN",
                "--cut-mb=0",
                "--cases=dence"
            })
    void refusesOptionsOutOfRangeBeforeAnythingStarts(String option) {
        assertThat(run(option)).isEqualTo(2);
        assertThat(err.toString()).contains(option.substring(0, option.indexOf('=')));
    }

    @Test
    void helpSaysWhatIsMeasured() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("--in-flight", "plain Netty", "signatures");
    }
}
