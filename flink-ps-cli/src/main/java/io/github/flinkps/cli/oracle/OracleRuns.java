package io.github.flinkps.cli.oracle;

import io.github.flinkps.cli.CommandException;
import io.github.flinkps.cli.RunScope;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs seeds one after the other on one cluster, which ends with this. One thread. */
final class OracleRuns implements AutoCloseable {
    private final PrintWriter out;
    private final Path folder;
    private final RunScope scope = new RunScope();
    private final OracleCluster cluster;
    private final AutoCloseable running;
    private boolean keep;

    OracleRuns(PrintWriter out) throws IOException {
        this.out = out;
        this.folder = Files.createTempDirectory("flink-ps-oracle-");
        this.cluster = new OracleCluster(folder);
        this.running = scope.whileRunning(limit -> end(false));
    }

    /**
     * @param first seed
     * @param count of seeds
     * @throws CommandException if a run does not come to its end, naming its seed
     */
    OracleReport run(long first, int count) throws Exception {
        OracleReport report = OracleReport.empty();
        OracleRest rest = new OracleRest(cluster.restPort());
        for (int i = 0; i < count; i++) {
            OraclePlan plan = OraclePlan.of(first + i);
            out.println("seed " + plan.seed() + ": " + plan);
            out.flush();
            Path files = Files.createDirectories(folder.resolve("seed-" + plan.seed()));
            OracleRun run = new OracleRun(plan, files, cluster, rest, report::hit);
            long begun = System.nanoTime();
            OracleReport.Run result;
            try {
                result = run.run();
            } catch (Exception e) {
                keep = true;
                throw new CommandException(
                        "seed "
                                + plan.seed()
                                + " did not come to its end (replay with --seeds 1 --seed "
                                + plan.seed()
                                + "; its files are in "
                                + folder
                                + "): "
                                + e.getMessage(),
                        e);
            }
            report.runs().add(result);
            out.println(
                    "  %d recoveries, %d keys in the model and %d cuts: %d lost, %d doubled; %d s"
                            .formatted(
                                    result.recoveries(),
                                    result.keys(),
                                    run.cuts(),
                                    result.lost(),
                                    result.doubled(),
                                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)));
            run.findings().forEach(finding -> out.println("  " + finding));
            out.flush();
            keep |= !run.findings().isEmpty();
        }
        if (keep) {
            out.println("what is wrong can be looked at in " + folder);
        }
        return report;
    }

    private void end(boolean keepFiles) throws IOException {
        cluster.close();
        if (!keepFiles) {
            OracleFiles.delete(folder);
        }
    }

    @Override
    public void close() throws Exception {
        running.close();
        scope.close();
        end(keep);
    }
}
