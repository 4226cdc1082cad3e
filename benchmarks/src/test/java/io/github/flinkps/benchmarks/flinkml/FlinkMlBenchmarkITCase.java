package io.github.flinkps.benchmarks.flinkml;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command at reduced size, and that the page's tables are of this command. */
@Timeout(600)
class FlinkMlBenchmarkITCase {
    private static final String NO_FIGURE = "|  |";

    @TempDir private Path folder;

    /** The class path that the script prints; where Flink ML cannot be installed it skips. */
    private String peer() throws Exception {
        Path script = RealData.repository().resolve("benchmarks/flink-ml/environment");
        Path printed = folder.resolve("printed");
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder("bash", script.toString())
                        .redirectOutput(printed.toFile())
                        .redirectError(errors.toFile())
                        .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it installs in time").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw RealData.missing("flink-ml", Files.readString(errors));
        }
        return Files.readString(printed).strip();
    }

    @Test
    void bothProgramsOfEachWorkloadRun() throws Exception {
        RealData.path("a9a/a9a.libsvm");
        StringWriter out = new StringWriter();
        int code =
                new CommandLine(new FlinkMlCommand())
                        .setOut(new PrintWriter(out))
                        .execute(
                                "--peer=" + peer(),
                                "--data=" + RealData.folder(),
                                "--rows=2000",
                                "--bits=12",
                                "--java-options=-Xmx1g,-XX:TieredStopAtLevel=1");
        assertThat(code).isLessThanOrEqualTo(1); // its aims are for more rows
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(2 + 4 + 1 + 2 + 6).noneMatch(line -> line.contains(NO_FIGURE));
    }

    @Test
    void aProgramThatFailsHasNoFiguresAndMeetsNoAims() {
        Comparison comparison =
                new Comparison(
                        ComparedWorkload.clicks(100, 12),
                        List.of(new ProgramRun(9, 8, 1 << 30, .5, .7)),
                        List.of(ProgramRun.NONE));
        assertThat(comparison.rows().get(1)).endsWith("| 1 |  |  |  |  |  |");
        assertThat(comparison.aims()).hasSize(3).allMatch(line -> line.endsWith(" |  | NO |"));
        assertThat(comparison.meetsAll()).isFalse();
    }

    @Test
    void aimsAreMetInEachRun() {
        ProgramRun peer = new ProgramRun(16, 16, 2 << 20, .5, .7);
        ProgramRun faster = new ProgramRun(2, 2, 1 << 20, .5, .7);
        ProgramRun slower = new ProgramRun(2.5, 2, 1 << 20, .4, .7);
        ComparedWorkload workload = ComparedWorkload.clicks(100, 12);
        assertThat(new Comparison(workload, List.of(peer), List.of(faster)).meetsAll()).isTrue();
        Comparison both = new Comparison(workload, List.of(peer, peer), List.of(faster, slower));
        assertThat(both.aims().get(0))
                .endsWith("| 8 times as fast | 8.00 times, 6.40 times | NO |");
        assertThat(both.aims().get(1)).endsWith("| 2.00 times less, 2.00 times less | yes |");
        assertThat(both.aims().get(2)).endsWith("| +0.0000, -0.1000 | yes |");
    }

    /** Compares the page's tables, all but the figures. */
    @Test
    void thePageIsOfThisCommand() throws Exception {
        String page = Files.readString(RealData.repository().resolve("docs/flink-ml.md"));
        String start = "<!-- bin/flink-ml-benchmark --runs 2 -->\n";
        assertThat(page).containsOnlyOnce(start);
        String tables = page.substring(page.indexOf(start) + start.length());
        List<String> written = tables.substring(0, tables.indexOf("<!-- end -->")).lines().toList();
        List<ProgramRun> none = List.of(ProgramRun.NONE, ProgramRun.NONE);
        List<String> expected =
                FlinkMlCommand.page(
                        FlinkMlCommand.workloads(folder, FlinkMlCommand.ROWS, FlinkMlCommand.BITS)
                                .stream()
                                .map(workload -> new Comparison(workload, none, none))
                                .toList());
        assertThat(withoutFigures(written))
                .as("print it anew: bin/flink-ml-benchmark --runs 2")
                .isEqualTo(withoutFigures(expected));
    }

    private static List<String> withoutFigures(List<String> page) {
        int aims = page.indexOf(Comparison.aimsHeader().get(0));
        return IntStream.range(0, page.size())
                .mapToObj(
                        line ->
                                first(
                                        page.get(line),
                                        line < aims
                                                ? Comparison.FIRST_FIGURE
                                                : Comparison.FIRST_REACHED))
                .toList();
    }

    private static String first(String line, int cells) {
        String[] parts = line.split(" \\| ");
        return String.join(" | ", Arrays.copyOf(parts, Math.min(parts.length, cells)));
    }
}
