package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.FilteredPushes;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.Residual;
import io.github.flinkps.client.Residuals;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.ManifestRef;
import io.github.flinkps.testing.TestingCuts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A job with checkpoints: sources that replay, channels with barriers between rows, workers that
 * train mini-batches of one row, a coordinator that triggers, completes, aborts and restores. Each
 * row adds 1 to an element of its own, to one it shares with others, and steps two Adagrad tables
 * whose gradients are functions of the row alone, so that the model is a function of the rows
 * trained (and, under BSP, of their rounds). Workers may hold updates back.
 */
final class SimulatedJob {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int SHARED = 24;
    private static final int BUFFER = 3;
    private static final int CHANNEL = 4;
    private static final long MILLI = 1_000_000;
    private static final ManifestRef NONE = new ManifestRef("", 0);

    /** What the job is; what happens to it is drawn elsewhere. */
    record Program(
            ConsistencySpec consistency,
            int workers,
            int rowsPerWorker,
            Holding holding,
            Skew skew) {}

    /** A worker in a checkpoint. */
    private record WorkerState(
            int read,
            List<Integer> untrained,
            long clock,
            boolean finished,
            List<Residual> residuals,
            int[] order) {
        boolean hasRead(int row) {
            return Arrays.stream(order, 0, read).anyMatch(each -> each == row);
        }
    }

    /** A checkpoint that is complete. */
    record Checkpoint(long number, ManifestRef manifest, List<WorkerState> workers) {
        /** Rows of a worker that its cut has the effects of. */
        boolean hasRow(int workers, int row) {
            WorkerState state = this.workers.get(row % workers);
            return state.hasRead(row / workers) && !state.untrained().contains(row);
        }

        /** Whether its cut has the effects of a worker's mini-batch. */
        boolean has(int worker, long clock) {
            return clock < workers.get(worker).clock();
        }

        /** Adds what its workers held to the counts of its cut. */
        void addHeld(float[] seen, Map<Long, Float> shared) {
            for (WorkerState state : workers) {
                for (Residual held : state.residuals()) {
                    for (int i = 0; i < held.rows(); i++) {
                        long key = held.keys()[i];
                        float first = held.values()[i * held.width()];
                        switch (held.table()) {
                            case "seen" -> seen[(int) key] += first;
                            case "shared" -> shared.merge(key, first, Float::sum);
                            default -> {}
                        }
                    }
                }
            }
        }
    }

    private final SimulatedCluster cluster;
    private final Random random;
    private final TestingCuts manifests;
    private final ConsistencySpec consistency;
    private final int workers;
    private final int rows;
    private final Holding holding;
    private final VisibleClocks clocks;
    private final String directory;
    private final Skew skew;
    private final TreeMap<Long, Checkpoint> complete = new TreeMap<>();
    private final List<ParameterClient> zombies = new ArrayList<>();
    private int attempts;
    private long lastTriggered;
    private Attempt attempt;

    SimulatedJob(SimulatedCluster cluster, Random random, TestingCuts manifests, Program program) {
        this.cluster = cluster;
        this.random = random;
        this.manifests = manifests;
        this.consistency = program.consistency;
        this.workers = program.workers;
        this.rows = workers * program.rowsPerWorker;
        this.holding = program.holding;
        this.skew = program.skew;
        this.clocks = new VisibleClocks(consistency, workers, program.rowsPerWorker);
        this.directory = manifests.directory();
    }

    VisibleClocks clocks() {
        return clocks;
    }

    /** Completed checkpoints, by number. */
    Map<Long, Checkpoint> complete() {
        return complete;
    }

    int rows() {
        return rows;
    }

    int workers() {
        return workers;
    }

    /** Begins an attempt, from the newest checkpoint or from the start. */
    void start() {
        attempts++;
        attempt = new Attempt(complete.isEmpty() ? null : complete.lastEntry().getValue());
        attempt.start();
    }

    /** Whether all rows are trained, and no server holds anything back any more. */
    boolean isDone() {
        return attempt.finished == workers
                && attempt.all.stream().allMatch(worker -> worker.openCuts == 0);
    }

    /**
     * Ends the attempt without a word.
     *
     * @param alive whether its workers go on for a while without knowing
     */
    void crash(boolean alive) {
        attempt.crash(alive);
    }

    /** Triggers a checkpoint and returns true, if not too many are under way. */
    boolean trigger() {
        return attempt.trigger();
    }

    /** Aborts the oldest checkpoint under way. */
    void abort() {
        attempt.abortOldest();
    }

    static List<TableSpec> tables(int rows) {
        return List.of(
                TableSpec.dense("seen", rows, 1, UpdateSpec.of("add")).withPartitions(3),
                TableSpec.dense("clocks", rows, 1, UpdateSpec.of("add")).withPartitions(5),
                TableSpec.sparse("shared", 2, UpdateSpec.of("add"))
                        .withKeyBits(20)
                        .withPartitions(8),
                TableSpec.dense("dense", 37, 2, UpdateSpec.of("adagrad")).withPartitions(5),
                TableSpec.sparse("sparse", 1, UpdateSpec.of("adagrad")).withPartitions(16));
    }

    /** What a model holds. */
    record Contents(float[] seen, Map<Long, Float> shared, int[] bits) {}

    /** Reads the model with a client of its own. */
    Contents read() {
        ModelSession plain =
                cluster.await(open(cluster.client(PATIENCE), SessionSpec.NO_WORKER, 0), PATIENCE);
        for (TableSpec table : tables(rows)) {
            cluster.await(plain.describe(table.name()), PATIENCE);
        }
        float[] seen = new float[rows];
        float[] dense = new float[74];
        long[] all = java.util.stream.LongStream.range(0, SHARED).toArray();
        KeyList sharedKeys = plain.keys("shared", all, 0, SHARED);
        KeyList sparseKeys = plain.keys("sparse", all, 0, SHARED);
        float[] shared = new float[2 * SHARED];
        float[] sparse = new float[SHARED];
        cluster.await(
                plain.exchange()
                        .pullRange("seen", 0, rows, seen)
                        .pullRange("dense", 0, 37, dense)
                        .pull(sharedKeys, shared)
                        .pull(sparseKeys, sparse)
                        .send(),
                PATIENCE);
        int[] bits = new int[dense.length + SHARED];
        for (int i = 0; i < dense.length; i++) {
            bits[i] = Float.floatToRawIntBits(dense[i]);
        }
        Map<Long, Float> counts = new HashMap<>();
        for (int i = 0; i < SHARED; i++) {
            bits[dense.length + (int) sparseKeys.key(i)] = Float.floatToRawIntBits(sparse[i]);
            counts.put(sharedKeys.key(i), shared[2 * i]);
            assertThat(shared[2 * i + 1]).isEqualTo(shared[2 * i]);
        }
        return new Contents(seen, counts, bits);
    }

    static long sharedKey(int row) {
        return (row * 7L) % SHARED;
    }

    private CompletableFuture<ModelSession> open(ParameterClient client, int worker, long of) {
        return client.open(new SessionSpec("m", "run", of, worker, workers, consistency, PATIENCE));
    }

    /** One attempt of the job. */
    private final class Attempt {
        private final Checkpoint from;
        private final List<Worker> all = new ArrayList<>();
        private final List<ParameterClient> clients = new ArrayList<>();
        private final TreeMap<Long, WorkerState[]> pending = new TreeMap<>();
        private final Map<Long, ManifestRef> manifestOf = new HashMap<>();
        private long fence;
        private int finished;
        private boolean dead;

        Attempt(Checkpoint from) {
            this.from = from;
        }

        void start() {
            ParameterClient admin = cluster.client(PATIENCE);
            clients.add(admin);
            run(
                    admin.grantFence("m", "run", "attempt " + attempts, PATIENCE)
                            .thenCompose(
                                    granted -> {
                                        fence = granted;
                                        return admin.dropModel("m", fence, PATIENCE);
                                    })
                            .thenCompose(ok -> open(admin, SessionSpec.NO_WORKER, fence))
                            .thenCompose(
                                    plain -> {
                                        List<CompletableFuture<?>> made = new ArrayList<>();
                                        tables(rows).forEach(t -> made.add(plain.createTable(t)));
                                        return CompletableFuture.allOf(
                                                made.toArray(new CompletableFuture<?>[0]));
                                    })
                            .thenRun(this::startWorkers));
        }

        private void startWorkers() {
            for (int i = 0; i < workers; i++) {
                int index = i;
                ParameterClient client = cluster.client(PATIENCE);
                clients.add(client);
                run(open(client, index, fence).thenAccept(session -> begin(session, index)));
            }
        }

        private void begin(ModelSession session, int index) {
            ManifestRef of = from == null ? NONE : from.manifest();
            run(
                    session.beginCuts(directory, of.path(), of.crc32c(), PATIENCE)
                            .thenAccept(
                                    clock -> {
                                        Worker worker = new Worker(this, session, index);
                                        worker.restore(
                                                from == null ? null : from.workers().get(index),
                                                clock);
                                        all.add(worker);
                                        worker.next();
                                    }));
        }

        /**
         * What fails while the attempt lives is a failure of the test, unless an older attempt came
         * late and took the model over: that one is gone, so the next will do.
         */
        private void run(CompletableFuture<?> step) {
            step.whenComplete(
                    (ok, error) -> {
                        if (error == null || dead) {
                            return;
                        }
                        Throwable cause = error.getCause() == null ? error : error.getCause();
                        if (cause instanceof PsException ps && ps.code() == ErrorCode.FENCED) {
                            crash(false);
                            SimulatedJob.this.start();
                        } else {
                            cluster.fail(error);
                        }
                    });
        }

        void crash(boolean alive) {
            dead = true;
            if (alive && all.size() == workers) {
                zombies.addAll(clients);
            } else {
                all.forEach(worker -> worker.stopped = true);
                clients.forEach(ParameterClient::close);
            }
        }

        boolean trigger() {
            if (dead || all.size() < workers || pending.size() > 2 || finished == workers) {
                return false;
            }
            long n = ++lastTriggered;
            pending.put(n, new WorkerState[workers]);
            all.forEach(worker -> worker.barrier(n));
            return true;
        }

        void abortOldest() {
            if (!pending.isEmpty()) {
                abort(pending.firstKey());
            }
        }

        /** The checkpoint is given up; some workers hear of it. */
        void abort(long n) {
            if (!dead && pending.remove(n) != null) {
                for (Worker worker : all) {
                    if (random.nextInt(3) > 0) {
                        cluster.time()
                                .at(
                                        cluster.time().now() + random.nextInt(50) * MILLI,
                                        () -> worker.aborted(n));
                    }
                }
            }
        }

        void acknowledge(long n, int worker, WorkerState state, ManifestRef manifest) {
            WorkerState[] states = pending.get(n);
            if (dead || states == null) {
                return;
            }
            states[worker] = state;
            assertThat(manifestOf.computeIfAbsent(n, key -> manifest)).isEqualTo(manifest);
            if (Arrays.stream(states).noneMatch(each -> each == null)) {
                // Checkpoints that were triggered before are subsumed.
                pending.headMap(n, true).clear();
                complete.put(n, new Checkpoint(n, manifest, List.of(states)));
                for (Worker each : all) {
                    if (random.nextInt(4) > 0) {
                        each.completed(n);
                    }
                }
            }
        }

        void finished() {
            finished++;
        }
    }

    private record Item(int row, long barrier) {}

    /** A worker, with the source that feeds it. */
    private final class Worker {
        private final Attempt of;
        private final ModelSession session;
        private final int index;
        private final Residuals residuals = new Residuals(tables(rows));
        private final FilteredPushes pushes;
        private final ArrayDeque<Item> channel = new ArrayDeque<>();
        private final ArrayDeque<Integer> buffer = new ArrayDeque<>();
        private final long pause;
        private int[] order = IntStream.range(0, rows / workers).toArray();
        private int emitted;
        private int read;
        private int inFlight = -1;
        private int openCuts;
        private long completeCut;
        private long clock;
        private boolean cutPending;
        private boolean finished;
        private boolean stopped;

        Worker(Attempt of, ModelSession session, int index) {
            this.of = of;
            this.session = session;
            this.index = index;
            this.pushes = new FilteredPushes(session, tables(rows), holding.filter(), residuals);
            this.pause = (1L << random.nextInt(8)) * MILLI / 8;
            session.onCutPending(() -> later(this::blocked));
        }

        private void blocked() {
            cutPending = inFlight >= 0;
            next();
        }

        void restore(WorkerState state, long at) {
            clock = at;
            if (state != null) {
                emitted = state.read();
                read = state.read();
                order = skew.order(state.order(), read, attempts, index);
                buffer.addAll(state.untrained());
                state.residuals().forEach(residuals::add);
                long expected = state.finished() ? Long.MAX_VALUE : state.clock();
                assertThat(at).as("clock of worker %d", index).isEqualTo(expected);
            }
            if (random.nextInt(8) == 0) { // no rows for long
                cluster.time().at(cluster.time().now() + 500 * MILLI, () -> act(this::source));
            } else {
                source();
            }
        }

        private void later(Runnable action) {
            later(0, action);
        }

        private void later(long nanos, Runnable action) {
            cluster.time().at(cluster.time().now() + nanos + 1, () -> act(action));
        }

        private void act(Runnable action) {
            if (!stopped) {
                action.run();
            }
        }

        private void source() {
            if (emitted < rows / workers
                    && channel.size() < CHANNEL
                    && !skew.starves(index, complete.size())) {
                channel.add(new Item(order[emitted++] * workers + index, 0));
                later(this::next);
            }
            if (emitted < rows / workers) {
                long wait = (long) (pause * -Math.log(1 - random.nextDouble())) + 1;
                cluster.time().at(cluster.time().now() + wait, () -> act(this::source));
            }
        }

        void barrier(long n) {
            channel.add(new Item(-1, n));
            later(this::next);
        }

        void completed(long n) {
            completeCut = Math.max(completeCut, n);
        }

        void aborted(long n) {
            if (!stopped) {
                session.abortCut(n, "the coordinator aborted it");
            }
        }

        /** Takes what may be taken, and trains what is there. */
        void next() {
            while (!channel.isEmpty()
                    && (channel.peek().barrier() > 0 || buffer.size() < BUFFER || cutPending)) {
                Item item = channel.poll();
                if (item.barrier() > 0) {
                    cutPending = false;
                    snapshot(item.barrier());
                } else {
                    buffer.add(item.row());
                    read++;
                }
            }
            if (inFlight < 0 && !buffer.isEmpty()) {
                inFlight = buffer.poll();
                of.run(pull(inFlight));
            } else if (inFlight < 0 && !finished && read == rows / workers && channel.isEmpty()) {
                finished = true;
                Exchange rest = session.exchange().timeout(HOUR);
                if (pushes.pushRest(rest, 1)) {
                    clock++;
                    of.run(rest.send());
                }
                of.run(session.deregister().thenRun(of::finished));
            }
        }

        private void snapshot(long n) {
            List<Integer> untrained = new ArrayList<>();
            if (inFlight >= 0) {
                untrained.add(inFlight);
            }
            untrained.addAll(buffer);
            WorkerState state =
                    new WorkerState(read, untrained, clock, finished, residuals.save(), order);
            of.run(session.marker(n, completeCut));
            openCuts++;
            of.run(
                    session.awaitCut(n, HOUR)
                            .handle(
                                    (report, failure) ->
                                            failure == null ? durable(n, state, report) : failed(n))
                            .thenCompose(known -> known)
                            .thenRun(() -> openCuts--));
        }

        private CompletableFuture<Void> durable(long n, WorkerState state, CutReport report) {
            ManifestRef written;
            try {
                written = manifests.write(of.fence, n, report);
            } catch (PsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.IO);
                return failed(n);
            }
            of.acknowledge(n, index, state, written);
            return CompletableFuture.completedFuture(null);
        }

        private CompletableFuture<Void> failed(long n) {
            of.abort(n);
            return session.abortCut(n, "it has failed elsewhere");
        }

        private CompletableFuture<Void> pull(int row) {
            float[] dense = new float[74];
            KeyList keys = keys("shared", sharedKey(row));
            float[] values = new float[2];
            float[] visible = new float[clocks.elements()];
            return session.exchange()
                    .pullRange("dense", 0, 37, dense)
                    .pullRange("clocks", 0, visible.length, visible)
                    .pull(keys, values)
                    .timeout(HOUR)
                    .send()
                    .thenRun(() -> clocks.check(visible, index, clock))
                    .thenRun(() -> later(skew.thinkNanos(index), () -> push(row)));
        }

        private KeyList keys(String table, long key) {
            return session.keys(table, new long[] {key}, 0, 1);
        }

        private void push(int row) {
            cutPending = false;
            inFlight = -1;
            Random gradients = new Random(row);
            float[] dense = new float[74];
            for (int i = 0; i < dense.length; i++) {
                dense[i] = (gradients.nextInt(256) - 128) / 64f;
            }
            Exchange exchange = session.exchange().timeout(HOUR);
            int mine = clocks.element(index, clock);
            exchange.pushRange("clocks", mine, mine + 1, new float[] {1}, 1);
            clock++;
            float[] unread = new float[dense.length];
            pushes.pushRange(exchange, "seen", row, 1, unread, new float[] {1}, 1);
            pushes.push(exchange, keys("shared", sharedKey(row)), unread, new float[] {1, 1}, 1);
            float[] sparse = {dense[0]};
            pushes.pushRange(exchange, "dense", 0, 37, unread, dense, 1);
            pushes.push(exchange, keys("sparse", sharedKey(row)), unread, sparse, 1);
            of.run(exchange.clock().send());
            next();
        }
    }
}
