package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.cut.CutClock;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.simulation.JobCheckpoint.WorkerState;
import io.github.flinkps.testing.TestingCuts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A job with checkpoints: sources that replay, channels with barriers between rows, workers that
 * train mini-batches of one row, a coordinator that triggers, completes, aborts and restores. Each
 * row adds 1 to an element of its own, to one it shares with others, and trains {@link
 * TrainedTables}, so that the model is a function of the rows trained (and, under BSP, of their
 * rounds). Workers may hold updates back, and an attempt may have another number of workers.
 */
final class SimulatedJob {
    static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int BUFFER = 3;
    private static final long MILLI = 1_000_000;

    /** The program of the job; what happens to it is drawn elsewhere. */
    record Program(
            ConsistencySpec consistency,
            int workers,
            int rowsPerWorker,
            Retaining retaining,
            Skew skew,
            Pace pace,
            Rests rests) {}

    private final SimulatedCluster cluster;
    private final Random random;
    private final TestingCuts manifests;
    private final ConsistencySpec consistency;
    private final int rows;
    private final Retaining retaining;
    private final String directory;
    private final Skew skew;
    private final Pace pace;
    private final Rests rests;
    private final JobChecks checks;
    private final TreeMap<Long, JobCheckpoint> complete = new TreeMap<>();
    private final List<ParameterClient> zombies = new ArrayList<>();
    private int workers;
    private int attempts;
    private long lastTriggered;
    private boolean exact = true;
    private Attempt attempt;

    SimulatedJob(SimulatedCluster cluster, Random random, TestingCuts manifests, Program program) {
        this.cluster = cluster;
        this.random = random;
        this.manifests = manifests;
        this.consistency = program.consistency;
        this.workers = program.workers;
        this.rows = workers * program.rowsPerWorker;
        this.retaining = program.retaining;
        this.skew = program.skew;
        this.pace = program.pace;
        this.rests = consistency.kind() == ConsistencySpec.Kind.BSP ? Rests.NONE : program.rests;
        this.directory = manifests.directory();
        this.checks = new JobChecks(cluster);
    }

    /** Completed checkpoints, by number. */
    NavigableMap<Long, JobCheckpoint> complete() {
        return complete;
    }

    /** Returns the mini-batches that the model has the effects of. */
    History history() {
        return attempt.history;
    }

    /**
     * Returns whether the steps of the model were the same at each partition, and in a known order.
     */
    boolean isExact() {
        return exact;
    }

    /** Has so many workers from the next attempt on. */
    void rescale(int newWorkers) {
        workers = newWorkers;
    }

    int rows() {
        return rows;
    }

    /** Begins an attempt, from the newest checkpoint or from the start. */
    void start() {
        attempts++;
        exact &= consistency.kind() == ConsistencySpec.Kind.BSP || workers == 1;
        attempt = new Attempt(complete.isEmpty() ? null : complete.lastEntry().getValue());
        attempt.start();
    }

    /** Returns whether all rows are trained, and no server holds anything back any more. */
    boolean isDone() {
        return attempt.finished == attempt.states.size()
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

    /** Reads the model with a client of its own. */
    JobContents read() {
        ModelSession plain =
                cluster.await(open(cluster.client(PATIENCE), SessionSpec.NO_WORKER, 0), PATIENCE);
        return new JobContents.Reader(cluster, plain).read(rows);
    }

    private CompletableFuture<ModelSession> open(ParameterClient client, int worker, long of) {
        return client.open(new SessionSpec("m", "run", of, worker, workers, consistency, PATIENCE));
    }

    /** One attempt of the job. */
    private final class Attempt {
        private final JobCheckpoint from;
        private final List<WorkerState> states;
        private final RowPlan plan;
        private final History history;
        private final Standings standings;
        private final List<Worker> all = new ArrayList<>();
        private final List<ParameterClient> clients = new ArrayList<>();
        private final TreeMap<Long, WorkerState[]> pending = new TreeMap<>();
        private final Map<Long, ManifestRef> manifestOf = new HashMap<>();
        private long fence;
        private int finished;
        private boolean dead;

        Attempt(JobCheckpoint from) {
            this.from = from;
            this.states = new ArrayList<>();
            boolean same = from != null && from.workers().size() == workers;
            for (int worker = 0; worker < workers; worker++) {
                states.add(
                        from == null
                                ? WorkerState.fresh(rowsOf(worker), 0)
                                : skew.reordered(
                                        from.statesFor(workers).get(worker), attempts, worker));
            }
            this.history = from == null ? new History() : from.historyFor(workers);
            this.standings = new Standings(workers);
            this.plan = RowPlan.of(consistency, rows, pace, states, same ? from.plan() : null);
        }

        private int[] rowsOf(int worker) {
            return IntStream.range(0, rows).filter(row -> row % workers == worker).toArray();
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
                                        JobContents.tables(rows)
                                                .forEach(t -> made.add(plain.createTable(t)));
                                        return CompletableFuture.allOf(
                                                        made.toArray(new CompletableFuture<?>[0]))
                                                .thenCompose(ok -> TrainedTables.load(plain));
                                    })
                            .thenRun(this::startWorkers));
        }

        private void startWorkers() {
            for (int i = 0; i < states.size(); i++) {
                int index = i;
                ParameterClient client = cluster.client(PATIENCE);
                clients.add(client);
                run(open(client, index, fence).thenAccept(session -> begin(session, index)));
            }
        }

        private void begin(ModelSession session, int index) {
            ManifestRef of = from == null ? null : from.manifest();
            run(
                    session.beginCuts(directory, of, PATIENCE)
                            .thenAccept(
                                    clock -> {
                                        Worker worker = new Worker(this, session, index);
                                        worker.restore(states.get(index), clock);
                                        all.add(worker);
                                        if (all.size() == states.size()) {
                                            checks.begin(plan, standings);
                                        }
                                        worker.next();
                                    }));
        }

        /**
         * Fails the test if a step fails while the attempt lives, unless an older attempt came late
         * and took the model over. That one is gone, so the next will do.
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
            if (alive && all.size() == states.size()) {
                zombies.addAll(clients);
            } else {
                all.forEach(worker -> worker.stopped = true);
                clients.forEach(ParameterClient::close);
            }
        }

        boolean trigger() {
            if (dead
                    || all.size() < states.size()
                    || pending.size() > 2
                    || finished == states.size()) {
                return false;
            }
            long n = ++lastTriggered;
            pending.put(n, new WorkerState[states.size()]);
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
            WorkerState[] stored = pending.get(n);
            if (dead || stored == null) {
                return;
            }
            stored[worker] = state;
            assertThat(manifestOf.computeIfAbsent(n, key -> manifest)).isEqualTo(manifest);
            if (Arrays.stream(stored).noneMatch(each -> each == null)) {
                // Checkpoints that were triggered before are subsumed.
                pending.headMap(n, true).clear();
                complete.put(n, new JobCheckpoint(n, manifest, List.of(stored), history, plan));
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

    /** Whether a worker trains the rows that it has. */
    private enum Doing {
        TRAINS,
        RESTS,
        JOINS
    }

    /** A worker, with the source that feeds it. */
    private final class Worker implements RowSource.Reader {
        private final Attempt of;
        private final ModelSession session;
        private final int index;
        private final RowExchanges exchanges;
        private final RowSource source;
        private final ArrayDeque<Integer> buffer = new ArrayDeque<>();
        private Doing doing = Doing.TRAINS;
        private int read;
        private int inFlight = -1;
        private int openCuts;
        private long completeCut;
        private long clock;
        private boolean cutPending;
        private boolean hasRested;
        private boolean finished;
        private boolean stopped;

        Worker(Attempt of, ModelSession session, int index) {
            this.of = of;
            this.session = session;
            this.index = index;
            this.exchanges = new RowExchanges(session, rows, retaining);
            this.source =
                    new RowSource(
                            cluster.time(),
                            random,
                            () -> skew.starves(index, complete.size()),
                            this);
            session.onCutPending(() -> later(this::blocked));
        }

        private void blocked() {
            cutPending = inFlight >= 0;
            next();
        }

        void restore(WorkerState state, long at) {
            checks.begins(index, state.standing(), at);
            clock = state.finished() ? state.clock() : at;
            read = state.read();
            buffer.addAll(state.untrained());
            exchanges.restore(state.residuals());
            of.standings.begins(index, clock);
            of.plan.goOn(index, clock, state.left());
            source.begin(state);
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

        @Override
        public boolean isAlive() {
            return !stopped;
        }

        @Override
        public void hear() {
            next();
        }

        void barrier(long n) {
            source.barrier(n);
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
            do {
                take();
            } while (trainsNext());
            boolean waits = inFlight < 0 && !finished && source.isEmpty();
            if (waits && doing != Doing.JOINS && read == source.order().length) {
                finish();
            } else if (waits && doing == Doing.TRAINS && rests.begins(random)) {
                rest();
            }
        }

        private void take() {
            while (!source.isEmpty()
                    && (source.isAtBarrier() || buffer.size() < BUFFER || cutPending)) {
                RowSource.Item item = source.poll();
                if (item.barrier() > 0) {
                    cutPending = false;
                    snapshot(item.barrier());
                } else {
                    buffer.add(item.row());
                    read++;
                }
            }
        }

        /** Says that it has no rows; what it holds would be for others to wait for. */
        private void rest() {
            source.beQuiet(rests.quietNanos(random));
            pushRest();
            doing = Doing.RESTS;
            hasRested = true;
            of.plan.rests(index);
            int change = of.standings.says(index);
            of.run(session.idle().thenRun(() -> of.standings.rests(index, change)));
        }

        /** Takes part again, at a clock of which it learns now. */
        private void join() {
            doing = Doing.JOINS;
            int change = of.standings.says(index);
            of.run(session.rejoin().thenRun(() -> later(() -> joined(change))));
        }

        private void joined(int change) {
            doing = Doing.TRAINS;
            clock = session.clock();
            of.standings.reached(index, clock);
            of.standings.joined(index, change);
            of.plan.goOn(index, clock, state().left());
            next();
        }

        /** Begins with the oldest row; returns whether that is trained at once. */
        private boolean trainsNext() {
            if (inFlight >= 0 || buffer.isEmpty() || doing == Doing.JOINS) {
                return false;
            }
            if (doing == Doing.RESTS) {
                join();
                return false;
            }
            inFlight = buffer.poll();
            if (pace.pulls(inFlight)) {
                of.run(pull(inFlight));
                return false;
            }
            train(inFlight);
            return true;
        }

        private void finish() {
            finished = true;
            pushRest();
            of.standings.says(index);
            of.run(session.deregister().thenRun(of::finished));
        }

        private void pushRest() {
            RecordedExchange rest = new RecordedExchange(session.exchange().timeout(HOUR));
            if (exchanges.pushRest(rest)) {
                of.history.add(index, clock, rest.batch(1));
                of.run(ended(rest));
                of.plan.goOn(index, clock, state().left());
            }
        }

        /** Sends the end of a mini-batch. */
        private CompletableFuture<Void> ended(Exchange exchange) {
            long at = ++clock;
            of.standings.ended(index, at);
            return exchange.send().thenRun(() -> of.standings.reached(index, at));
        }

        private WorkerState state() {
            List<Integer> untrained = new ArrayList<>();
            if (inFlight >= 0) {
                untrained.add(inFlight);
            }
            untrained.addAll(buffer);
            CutClock.State stands =
                    doing == Doing.RESTS ? CutClock.State.IDLE : CutClock.State.ACTIVE;
            Standing standing =
                    new Standing(finished ? CutClock.State.FINISHED : stands, clock, hasRested);
            return new WorkerState(source.order(), read, untrained, standing, exchanges.retained());
        }

        private void snapshot(long n) {
            WorkerState state = state();
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
                written = manifests.write(of.fence, n, of.states.size(), report);
            } catch (PsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.IO);
                return failed(n);
            }
            checks.cut(index, state.standing(), report);
            of.acknowledge(n, index, state, written);
            return CompletableFuture.completedFuture(null);
        }

        private CompletableFuture<Void> failed(long n) {
            of.abort(n);
            return session.abortCut(n, "it has failed elsewhere");
        }

        private CompletableFuture<Void> pull(int row) {
            float[] visible = new float[rows];
            return exchanges
                    .pull(session.exchange(), row, visible)
                    .timeout(HOUR)
                    .send()
                    .thenRun(() -> checkPull(visible))
                    .thenRun(() -> later(skew.thinkNanos(index), () -> push(row)));
        }

        private void checkPull(float[] visible) {
            String contradiction = of.plan.contradiction(visible, index, clock);
            cluster.invariants().require("a pull sees what its clock allows", contradiction);
        }

        private void push(int row) {
            train(row);
            next();
        }

        private void train(int row) {
            cutPending = false;
            inFlight = -1;
            if (pace.isEmptyBefore(row)) {
                of.history.add(index, clock, new History.Batch(List.of(), Pace.EMPTY_WEIGHT));
                of.run(ended(session.exchange().timeout(HOUR).clock(Pace.EMPTY_WEIGHT)));
            }
            RecordedExchange exchange = new RecordedExchange(session.exchange().timeout(HOUR));
            double weight = TrainedTables.weight(row);
            exchanges.push(exchange, row, weight);
            of.history.add(index, clock, exchange.batch(weight));
            of.plan.sends(row, clock, hasRested && checks.isAhead(index, clock));
            of.run(ended(exchange.clock(weight)).thenRun(() -> of.plan.acknowledges(row)));
        }
    }
}
