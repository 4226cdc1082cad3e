package io.github.flinkps.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.testing.RealData;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command at reduced size, and that the page is what it prints. */
@Timeout(600)
class BenchmarkITCase {
    private static final Path ROOT = RealData.repository();

    private static final boolean LONG = System.getProperty("long") != null;

    /** Spark takes long to install and to start. */
    private static final Set<String> PEERS = LONG ? PeerPrograms.NAMES : Set.of("vw", "liblinear");

    @TempDir private Path folder;

    private static List<String> printed(String... arguments) {
        StringWriter out = new StringWriter();
        int code =
                new CommandLine(new BenchmarkCommand())
                        .setOut(new PrintWriter(out))
                        .execute(arguments);
        assertThat(code).isZero();
        return out.toString().lines().toList();
    }

    @Test
    void eachProgramOfAJobHasItsFigures() throws Exception {
        try {
            new PeerPrograms(ROOT.resolve("benchmarks"), PEERS).all();
        } catch (IllegalStateException e) {
            throw RealData.missing("peers", e.getMessage());
        }
        List<String> lines =
                printed(
                        "--root",
                        ROOT.toString(),
                        "--only=limits,start,job-20",
                        "--rows=2000",
                        "--runs=1",
                        "--peers=" + String.join(",", PEERS));
        List<String> jobs =
                lines.subList(lines.indexOf("## Jobs: 2,000 rows, 2^20 features"), lines.size());
        List<String> rows = jobs.stream().filter(line -> line.startsWith("| ")).toList();
        int programs = PEERS.size() + 1 + 3;
        assertThat(rows).hasSize(2 + programs + 2 + 3);
        for (String row : rows.subList(2, 2 + programs)) {
            String[] cells = row.split(" \\| ?");
            boolean ours = row.startsWith("| `flink-ps");
            for (int cell = 1; cell < cells.length; cell++) {
                assertThat(cells[cell].isEmpty()).as(row).isEqualTo(cell == 5 && !ours);
            }
            assertThat(Double.parseDouble(cells[7])).as(row).isBetween(.5, 1.0);
        }
        assertThat(lines)
                .filteredOn(
                        line -> line.matches("\\| (one|ping|copies|random).* \\| \\d+\\.\\d+ \\|"))
                .hasSize(5);
        assertThat(lines).contains("## Start").anyMatch(line -> line.startsWith("| empty | "));
    }

    /** Fails as a program does that needs more memory than there is. */
    @Test
    void aPeerThatFailsHasNoFiguresAndTheOthersHave() throws Exception {
        Program fails = Program.peer("fails", "false", Path.of("any.py"));
        Program works = Program.ours(ROOT, "--epochs 1");
        Map<Program, Figures> figures =
                new Cases(ROOT, folder, 2, Set.of())
                        .run(List.of(fails, works), Workload.write(folder, 200, 12), false);
        assertThat(figures.get(fails).trainSeconds()).isNaN();
        assertThat(figures.get(works).trainSeconds()).isPositive();
    }

    @Test
    void aProgramThatFailsSaysWhy() throws Exception {
        Workload rows = Workload.write(folder, 200, 12);
        Program wrong = Program.ours(ROOT, "--epochs -1");
        assertThatThrownBy(() -> wrong.run(rows, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("--epochs -1")
                .hasMessageContaining("has failed");
    }

    /** The rows that all programs read are the same. */
    @Test
    void filesHoldTheSameRows() throws Exception {
        Workload rows = Workload.write(folder, 200, 12);
        List<String> svm = Files.readAllLines(rows.file("train.svm"));
        List<String> vw = Files.readAllLines(rows.file("train.vw"));
        assertThat(svm).hasSize(200).allMatch(line -> line.matches("[01]( \\d+:1){30,39}"));
        assertThat(vw.stream().map(line -> line.replaceFirst("^(-?)1 \\|", "$1")))
                .containsExactlyElementsOf(
                        svm.stream()
                                .map(line -> (line.startsWith("1") ? "" : "-") + line.substring(1))
                                .toList());
        assertThat(Files.readAllLines(rows.file("test.svm"))).hasSize(20);
    }

    @Test
    void ratiosAreComparedWithTheirAims() {
        Report report = new Report("A", "text");
        report.columns("program", "seconds", "logloss");
        report.row("one", "%.1f %.4f", 2, Double.NaN);
        report.atLeast("faster", 2, 2);
        report.atMost("cpu", 1.2, 1.1);
        report.atLeast("none", Double.NaN, 1);
        assertThat(report.lines())
                .contains("| one | 2.0 |  |")
                .contains("| faster | at least 2.00 | 2.00 | yes |")
                .contains("| cpu | at most 1.10 | 1.20 | NO |")
                .contains("| none | at least 1.00 |  | NO |");
        assertThat(Figures.median(new double[] {3, 1, 2})).isEqualTo(2);
        assertThat(Figures.median(new double[] {3, 1})).isEqualTo(1);
    }
}
