package io.github.flinkps.cli.bench;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.CutPartition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Takes cuts of a large table while workers train it: a full one, and one of the rows changed since
 * then. The servers write below the folder for temporary files.
 */
final class CutBench implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int WIDTH = 16;

    private final Plan plan;
    private final Path folder;
    private final BenchService service;
    private final List<CutTrainer> trainers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();

    /**
     * How large, and how long.
     *
     * @param rows of the table
     * @param stepKeys keys that a step pulls and pushes
     * @param listKeys keys of a push that makes rows
     * @param nanos least time without a cut
     */
    record Plan(int servers, int workers, int rows, int stepKeys, int listKeys, long nanos) {
        static Plan full(int servers, int workers, long nanos) {
            return new Plan(servers, workers, 1 << 26, 10_000, 100_000, nanos);
        }

        static Plan quick(int servers, int workers, long nanos) {
            return new Plan(servers, workers, 1 << 14, 500, 1_000, nanos);
        }

        long modelBytes() {
            return 4L * WIDTH * rows;
        }

        /** Why there is no memory for it, or null. */
        String whyNot() {
            return MemoryBound.now().whyNot(rows, WIDTH, 8L * WIDTH * listKeys);
        }
    }

    CutBench(Plan plan) {
        this.plan = plan;
        try {
            this.folder = Files.createTempDirectory("flink-ps-bench-cut-");
        } catch (IOException e) {
            throw new PsException(
                    ErrorCode.IO, "no folder for cuts in java.io.tmpdir: " + e.getMessage(), e);
        }
        this.service = new BenchService(plan.servers(), plan.workers());
    }

    /** Makes the table, and measures both cuts. */
    List<CutRow> run() {
        List<ModelSession> sessions = service.sessions();
        SparseTable table =
                SparseTable.create(sessions, Long.SIZE, plan.rows(), plan.listKeys(), WIDTH);
        for (int i = 0; i < sessions.size(); i++) {
            ModelSession session = sessions.get(i);
            LoadDriver.await(session.beginCuts(folder.toString(), "", 0, PATIENCE));
            CutTrainer trainer = new CutTrainer(session, table, plan.stepKeys(), i);
            trainers.add(trainer);
            running.add(threads.submit(trainer));
        }
        train(plan.nanos() / 2); // warms up
        CutRow full = measure("full", 1, 0);
        CutRow increment = measure("increment", 2, 1);
        trainers.forEach(CutTrainer::stop);
        running.forEach(LoadDriver::await);
        return List.of(full, increment);
    }

    /** Lets the workers go on for a time. */
    private void train(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PsException(ErrorCode.CLOSED, "interrupted", e);
        }
        for (Future<?> each : running) {
            if (each.isDone()) {
                LoadDriver.await(each); // has failed, and says why
            }
        }
    }

    private CutRow measure(String kind, long cut, long complete) {
        long begun = System.nanoTime();
        CutTrainer.Steps[] with = next(true);
        trainers.forEach(trainer -> trainer.mark(cut, complete));
        trainers.forEach(trainer -> LoadDriver.await(trainer.marked()));
        CutReport report = await(service.sessions().get(0).awaitCut(cut, PATIENCE));
        long nanos = System.nanoTime() - begun;
        CutTrainer.Steps[] without = next(false);
        train(Math.max(plan.nanos(), nanos));
        long nanosWithout = System.nanoTime() - begun - nanos;
        next(false);
        long rows = 0;
        long bytes = 0;
        for (CutPartition partition :
                report.parts().stream().flatMap(part -> part.partitions().stream()).toList()) {
            if (partition.file() != null) {
                rows += partition.file().rows();
                bytes += partition.file().bytes();
            }
        }
        return new CutRow(
                kind,
                plan.modelBytes(),
                plan.servers(),
                plan.workers(),
                longest(with),
                longest(without),
                count(with) / (nanos / 1e9),
                count(without) / (nanosWithout / 1e9),
                nanos / 1e9,
                rows,
                bytes,
                report.savedBytes());
    }

    private CutTrainer.Steps[] next(boolean ofCut) {
        return trainers.stream()
                .map(trainer -> trainer.next(ofCut))
                .toArray(CutTrainer.Steps[]::new);
    }

    private static double longest(CutTrainer.Steps[] steps) {
        return Stream.of(steps).mapToLong(CutTrainer.Steps::longestNanos).max().orElse(0) / 1e6;
    }

    private static double count(CutTrainer.Steps[] steps) {
        return Stream.of(steps).mapToLong(CutTrainer.Steps::count).sum();
    }

    private static <T> T await(Future<T> future) {
        return LoadDriver.await(future, PATIENCE.toSeconds());
    }

    @Override
    public void close() {
        trainers.forEach(CutTrainer::stop);
        service.close();
        threads.shutdownNow();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cuts are left in " + folder, e);
        }
    }
}
