package io.github.flinkps.harness.oracle;

import io.github.flinkps.cli.run.RunScope;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs seeds one after the other on one cluster, which ends with this. One thread. */
final class OracleRuns implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OracleRuns.class);

    private final PrintWriter out;
    private final Path folder;
    private final RunScope scope = new RunScope();
    private final AutoCloseable running;
    private final OracleReport report;
    private final OracleKind kind;
    private final boolean machines;
    private final OracleNetwork network;
    private final Consumer<OracleReport> progress;
    private volatile OracleCluster cluster;
    private volatile boolean ended;
    private boolean keep;

    /**
     * @param kind of the jobs
     * @param machines whether they run on machines whose links can be cut
     * @throws IOException also if this system makes no such machines
     * @param progress told of what was found as each run begins and ends
     */
    OracleRuns(PrintWriter out, OracleKind kind, boolean machines, Consumer<OracleReport> progress)
            throws IOException {
        this.out = out;
        this.kind = kind;
        this.machines = machines;
        this.report = OracleReport.empty(kind, machines);
        this.progress = progress;
        this.network = machines ? OracleNetwork.machines() : OracleNetwork.loopback();
        this.folder = Files.createTempDirectory("flink-ps-oracle-");
        this.cluster = newCluster();
        this.running = scope.whileRunning(limit -> end(false));
    }

    private OracleCluster newCluster() throws IOException {
        return new OracleCluster(Files.createTempDirectory(folder, "cluster-"), network);
    }

    /** Returns what was found so far. */
    OracleReport report() {
        return report;
    }

    /**
     * @param first seed
     * @param count of seeds
     */
    void run(long first, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            long seed = first + i;
            OraclePlan plan = OraclePlan.of(seed, kind, machines);
            say("seed " + seed + ": " + plan);
            report.begun(seed);
            progress.accept(report);
            Path files = Files.createDirectories(folder.resolve("seed-" + seed));
            OracleDisk disk = disk(plan, files.resolve(OracleStorage.DISK));
            boolean right = false;
            try {
                right = run(plan, files, disk);
            } finally {
                if (disk != null && !right) {
                    disk.keep();
                } else if (disk != null) {
                    disk.close();
                }
            }
            keep |= !right;
            progress.accept(report);
        }
        if (keep) {
            say("what is wrong can be looked at in " + folder);
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private OracleDisk disk(OraclePlan plan, Path place) {
        if (!plan.fillsDisk()) {
            return null;
        }
        try {
            OracleDisk disk = OracleDisk.mount(place);
            say("  its disk is a tmpfs that is filled");
            return disk;
        } catch (IOException e) {
            say("  its full disk is a storage that throws; none can be mounted: " + e.getMessage());
            return null;
        }
    }

    /** Returns whether nothing is wrong. */
    private boolean run(OraclePlan plan, Path files, OracleDisk disk) throws Exception {
        OracleRest rest = new OracleRest(cluster.rest());
        OracleRun run = new OracleRun(plan, kind, files, cluster, rest, disk, report::hit);
        long begun = System.nanoTime();
        try {
            report.ended(run.run());
        } catch (Exception e) {
            if (ended) {
                throw e;
            }
            LOG.error("Seed {} did not come to its end", plan.seed(), e);
            say("  did not come to its end: " + e);
            cluster.close();
            cluster = newCluster();
            return false;
        }
        OracleReport.Run result = report.runs().get(report.runs().size() - 1);
        say(
                "  %d recoveries, %d keys in the model and %d cuts: %d lost, %d doubled; %d s"
                        .formatted(
                                result.recoveries(),
                                result.keys(),
                                run.cuts(),
                                result.lost(),
                                result.doubled(),
                                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)));
        if (!run.missed().isEmpty()) {
            say("  came to nothing: " + texts(run.missed()));
        }
        run.findings().forEach(finding -> say("  " + finding));
        return run.findings().isEmpty();
    }

    private static String texts(List<Strike> strikes) {
        return strikes.stream().map(Strike::text).collect(Collectors.joining(", "));
    }

    private void end(boolean keepFiles) throws IOException {
        ended = true;
        cluster.close();
        network.close();
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
