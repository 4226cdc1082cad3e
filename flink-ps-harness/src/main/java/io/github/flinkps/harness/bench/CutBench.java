package io.github.flinkps.harness.bench;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.cut.CutPartition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Takes cuts of a large table while workers train it: a full one, and one of the rows changed since
 * then, each between two times without a cut. The servers write below the folder for temporary
 * files.
 */
final class CutBench implements AutoCloseable {
    private static final int STORAGE_BLOCK_BYTES = 1 << 20;

    private final CutPlan plan;
    private final Listener listener;
    private final Path folder;
    private final BenchService service;
    private final StallMeter stalls = new StallMeter();
    private final List<CutTrainer> trainers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();

    /** Hears of a run as it goes. */
    interface Listener {
        void measured(CutRow row);

        /** Learns how many rows of the table have been made so far. */
        void filled(int rows);
    }

    CutBench(CutPlan plan, Listener listener) {
        this.plan = plan;
        this.listener = listener;
        try {
            this.folder = Files.createTempDirectory("flink-ps-bench-cut-");
        } catch (IOException e) {
            throw new PsException(
                    ErrorCode.IO, "no folder for cuts in java.io.tmpdir: " + e.getMessage(), e);
        }
        this.service =
                new BenchService(
                        plan.servers(),
                        plan.workers(),
                        new BenchService.Memory(0, plan.heapBytes()),
                        null);
    }

    /** Makes the table, and measures both cuts and the storage. */
    void run() {
        start(fill());
        train(plan.nanos() / 2); // warms up
        without();
        boolean durable = cut("full", 1, 0);
        without();
        if (durable) {
            cut("increment", 2, 1);
            without();
        }
        trainers.forEach(CutTrainer::stop);
        running.forEach(LoadDriver::await);
        writeStorage();
    }

    private SparseTable fill() {
        long begun = System.nanoTime();
        SparseTable table =
                SparseTable.create(
                        service.sessions(),
                        Long.SIZE,
                        plan.sizes().rows(),
                        plan.sizes().listKeys(),
                        CutPlan.WIDTH,
                        rows -> {
                            listener.filled(rows);
                            if (System.nanoTime() - begun > plan.limit().toNanos()) {
                                throw new PsException(
                                        ErrorCode.TIMEOUT,
                                        "only %d of %d rows were made within %d s: choose a smaller --cut-mb"
                                                .formatted(
                                                        rows,
                                                        plan.sizes().rows(),
                                                        plan.limit().toSeconds()));
                            }
                        });
        listener.measured(CutRow.untrained(plan, "fill", since(begun), plan.sizes().rows(), 0));
        return table;
    }

    private void start(SparseTable table) {
        List<ModelSession> sessions = service.sessions();
        for (int i = 0; i < sessions.size(); i++) {
            ModelSession session = sessions.get(i);
            LoadDriver.await(session.beginCuts(folder.toString(), null, plan.limit()));
            CutTrainer trainer = new CutTrainer(session, table, plan.sizes().stepKeys(), i);
            trainers.add(trainer);
            running.add(threads.submit(trainer));
        }
    }

    private static double since(long begun) {
        return (System.nanoTime() - begun) / 1e9;
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

    /** Waits until the steps that are under way are counted. */
    private void endSteps() {
        long[] before = trainers.stream().mapToLong(CutTrainer::done).toArray();
        for (int i = 0; i < before.length; i++) {
            while (trainers.get(i).done() == before[i]) {
                train(1_000_000); // or fails, if the worker has
            }
        }
    }

    private void without() {
        CutTrainer.Steps[] steps = next(false);
        long begun = System.nanoTime();
        train(plan.nanos());
        listener.measured(row(CutRow.WITHOUT, since(begun), steps, List.of(), 0, true));
    }

    /** Takes a cut; whether it has become durable. */
    private boolean cut(String part, long cut, long complete) {
        CutTrainer.Steps[] steps = next(true);
        long begun = System.nanoTime();
        trainers.forEach(trainer -> trainer.mark(cut, complete));
        trainers.forEach(trainer -> LoadDriver.await(trainer.marked()));
        CutReport report = awaitCut(cut);
        double seconds = since(begun);
        endSteps();
        List<StoredFile> files = List.of();
        if (report != null) {
            files =
                    report.parts().stream()
                            .flatMap(owner -> owner.partitions().stream())
                            .map(CutPartition::file)
                            .filter(Objects::nonNull)
                            .toList();
        }
        long saved = report == null ? 0 : report.savedBytes();
        listener.measured(row(part, seconds, steps, files, saved, report != null));
        return report != null;
    }

    /** Returns what became durable; null if that takes longer than the limit. */
    private CutReport awaitCut(long cut) {
        try {
            return LoadDriver.await(
                    service.sessions().get(0).awaitCut(cut, plan.limit()),
                    plan.limit().toSeconds() + 10);
        } catch (PsException e) {
            if (e.code() == ErrorCode.TIMEOUT) {
                return null;
            }
            throw e;
        }
    }

    private CutRow row(
            String part,
            double seconds,
            CutTrainer.Steps[] steps,
            List<StoredFile> files,
            long savedBytes,
            boolean durable) {
        Latencies all = new Latencies();
        for (CutTrainer.Steps each : steps) {
            all.add(each.latencies());
        }
        return new CutRow(
                part,
                plan.modelBytes(),
                plan.servers(),
                plan.workers(),
                seconds,
                durable,
                all.count() / seconds,
                all.micros(.5) / 1e3,
                all.micros(.99) / 1e3,
                all.micros(.999) / 1e3,
                all.longestMicros() / 1e3,
                stalls.takeLongestMillis(),
                files.stream().mapToLong(StoredFile::rows).sum(),
                files.stream().mapToLong(StoredFile::bytes).sum(),
                savedBytes);
    }

    private CutTrainer.Steps[] next(boolean ofCut) {
        stalls.takeLongestMillis();
        return trainers.stream()
                .map(trainer -> trainer.next(ofCut))
                .toArray(CutTrainer.Steps[]::new);
    }

    /** Measures a durable write of a file of a quarter of the model's bytes, in large blocks. */
    private void writeStorage() {
        long begun = System.nanoTime();
        ByteBuffer block = ByteBuffer.allocateDirect(STORAGE_BLOCK_BYTES);
        long bytes = 0;
        try (FileChannel file =
                FileChannel.open(
                        folder.resolve("storage"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            while (bytes < plan.modelBytes() / 4) {
                block.clear();
                while (block.hasRemaining()) {
                    bytes += file.write(block);
                }
            }
            file.force(true);
        } catch (IOException e) {
            throw new PsException(ErrorCode.IO, "cannot write to " + folder + ": " + e, e);
        }
        listener.measured(CutRow.untrained(plan, "storage", since(begun), 0, bytes));
    }

    @Override
    public void close() {
        trainers.forEach(CutTrainer::stop);
        service.close();
        stalls.close();
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
