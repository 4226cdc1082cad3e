package io.github.flinkps.harness.oracle;

import io.github.flinkps.cli.run.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the jobs of a seed, strikes them, and counts. One thread. */
final class OracleRun {
    private static final Logger LOG = LoggerFactory.getLogger(OracleRun.class);
    private static final int TRIES = 3;
    private static final Duration REACH_LIMIT = Duration.ofSeconds(45);
    private static final Duration SOON = Duration.ofSeconds(3);

    /** The longest time between strikes: longer than between checkpoints. */
    private static final int CALM_MILLIS = 500;

    /** A time longer than any process waits for another one, or for a checkpoint. */
    private static final Duration EFFECT_LIMIT = Duration.ofSeconds(20);

    private final OraclePlan plan;
    private final OracleCluster cluster;
    private final OracleRest rest;
    private final OracleDisk disk;
    private final OracleHooks hooks;
    private final OracleJob jobs;
    private final CutCheck check;
    private final boolean checkpoints;
    private final Consumer<Strike> hit;
    private final SplittableRandom random;
    private final Path folder;
    private final Set<Path> checkedCuts = new HashSet<>();
    private final List<Strike> missed = new ArrayList<>();
    private Counts.Difference difference = Counts.Difference.NONE;
    private OraclePlan.Scale scale;
    private JobClient job;
    private OracleWatch watch;
    private int armed;
    private int recoveries;
    private int retainedCuts;
    private int leastWorkers = Integer.MAX_VALUE;
    private int mostWorkers;

    /**
     * @param folder of the run's files
     * @param disk with the cuts, null if its being full is acted
     * @param hit told of what has happened
     */
    OracleRun(
            OraclePlan plan,
            OracleKind kind,
            Path folder,
            OracleCluster cluster,
            OracleRest rest,
            OracleDisk disk,
            Consumer<Strike> hit) {
        this.plan = plan;
        this.folder = folder;
        this.cluster = cluster;
        this.rest = rest;
        this.disk = disk;
        this.hit = hit;
        this.hooks = new OracleHooks(folder.resolve(OracleStorage.HOOKS));
        this.checkpoints = kind.checkpoints();
        this.jobs = new OracleJob(plan, kind, folder, hooks, cluster);
        this.check =
                new CutCheck(
                        hooks,
                        OracleJob.NUMBERS,
                        plan.epochs(),
                        (lost, doubled) -> kind.allows(plan, lost, doubled),
                        kind.tears() ? null : this::steps);
        this.random = new SplittableRandom(~plan.seed());
        this.scale = plan.scale();
    }

    private Steps steps() {
        return new Steps(plan.consistency(), plan.retains(), leastWorkers, mostWorkers);
    }

    /** Returns what was found wrong. */
    List<String> findings() {
        return check.findings();
    }

    /** Returns the number of cuts that were read and compared. */
    int cuts() {
        return retainedCuts;
    }

    /** Returns the strikes that did not come, or had no effect. */
    List<Strike> missed() {
        return List.copyOf(missed);
    }

    /**
     * Runs it to its end.
     *
     * @throws CommandException if a job fails or does not end
     */
    OracleReport.Run run() throws Exception {
        hooks.create();
        cluster.awaitSlots(rest);
        try {
            submit(null);
            watch.awaitProgress();
            List<Strike> strikes = plan.strikes();
            for (int i = 0; i < strikes.size(); i++) {
                if (plan.isLate(i)) {
                    awaitSource();
                }
                strike(strikes.get(i));
            }
            hooks.allMayEnd();
            watch.await(watch::isOver, "its end");
            ended();
        } finally {
            end();
        }
        difference = difference.plus(check.model(jobs.output()));
        int wrong = findings().isEmpty() || !difference.none() ? 0 : 1;
        return new OracleReport.Run(
                plan.seed(),
                recoveries,
                difference.keys(),
                difference.lost() + wrong,
                difference.doubled());
    }

    /** Lets the source end, and waits until all its readers have. */
    private void awaitSource() throws Exception {
        hooks.sourceMayEnd();
        watch.await(() -> check.readersEnded(id(), scale.workers()), "the source's end");
    }

    private void submit(String savepoint) throws Exception {
        List<String> remote = plan.remote() ? cluster.servers(scale.servers()) : List.<String>of();
        leastWorkers = Math.min(leastWorkers, scale.workers());
        mostWorkers = Math.max(mostWorkers, scale.workers());
        job = jobs.submit(scale, remote, savepoint);
        watch = new OracleWatch(rest, id(), checkpoints);
        LOG.info("Job {} {} from {}", id(), scale, savepoint);
    }

    private String id() {
        return job.getJobID().toString();
    }

    /** Tries a strike until it has its effect; after several times notes it as missed. */
    private void strike(Strike strike) throws Exception {
        for (int i = 0; i < TRIES && !watch.isOver(); i++) {
            if (strike.fault().stops() ? rescale(strike) : strikes(strike)) {
                LOG.info("Struck by {}", strike.text());
                hit.accept(strike);
                return;
            }
        }
        missed.add(strike);
    }

    /** Returns whether it had the effect that it is to have. */
    private boolean strikes(Strike strike) throws Exception {
        OracleHooks.Reached reached = reach(strike.phase());
        if (reached == null) {
            return false;
        }
        OracleRest.Checkpoints before = watch.checkpoints();
        OracleWatch.Condition effect = () -> hasEffect(strike.fault(), before);
        boolean in = act(reached, strike, effect);
        OracleWatch.comes(() -> effect.isMet() || watch.isOver(), EFFECT_LIMIT);
        if (strike.phase() != Phase.FINISHING) {
            watch.awaitProgress();
        }
        return in && effect.isMet();
    }

    private boolean hasEffect(Fault fault, OracleRest.Checkpoints before) throws Exception {
        OracleRest.Checkpoints now = watch.checkpoints();
        return fault.failsCheckpoint()
                ? now.failed() > before.failed()
                : now.restored() > before.restored();
    }

    /** Waits until a phase is reached; null if it is not, as when the job ends before. */
    private OracleHooks.Reached reach(Phase phase) throws Exception {
        Thread.sleep(random.nextInt(CALM_MILLIS));
        int number = ++armed;
        hooks.arm(number, phase);
        if (phase == Phase.RESTORING) {
            hooks.failWorker();
        } else if (phase == Phase.FINISHING) {
            hooks.allMayEnd();
        }
        OracleWatch.comes(() -> hooks.reached(number) != null || watch.isOver(), REACH_LIMIT);
        hooks.disarm();
        OracleHooks.Reached reached = hooks.reached(number);
        LOG.info("Phase {} {}", phase.text(), reached == null ? "was not reached" : reached);
        return reached;
    }

    /**
     * Lets a fault happen where a process waits in a phase, and lets that go on.
     *
     * @param effect of the fault
     * @return whether it happened in that phase
     */
    private boolean act(OracleHooks.Reached at, Strike strike, OracleWatch.Condition effect)
            throws Exception {
        OracleHooks.Answer answer = OracleHooks.Answer.GO;
        boolean in = true;
        int any = random.nextInt(1 << 20);
        switch (strike.fault()) {
            case WORKER_EXCEPTION -> {
                if (strike.phase() == Phase.TRAINING) {
                    answer = OracleHooks.Answer.FAIL;
                } else {
                    hooks.failWorker();
                    in = OracleWatch.comes(() -> !hooks.workerFailureIsDue(), SOON);
                }
            }
            case TASK_MANAGER_KILL -> {
                taskManager(at, any).kill();
                cluster.startTaskManager();
            }
            case SERVER_KILL -> cluster.restartServer(server(at, any));
            case TASK_MANAGER_STOP -> stop(taskManager(at, any), at);
            case SERVER_STOP -> stop(cluster.serverProcess(server(at, any)), at);
            case TASK_MANAGER_CUT_OFF -> cutOff(taskManager(at, any), at);
            case SERVER_CUT_OFF -> cutOff(cluster.serverProcess(server(at, any)), at);
            case CHECKPOINT_FAILURE -> {
                if (strike.phase() == Phase.ALIGNING || strike.phase() == Phase.DEFERRED) {
                    hooks.failCheckpoint();
                } else {
                    answer = OracleHooks.Answer.FAIL;
                }
            }
            case CHECKPOINT_TIMEOUT -> Thread.sleep(OracleJob.beyondCheckpointTimeout().toMillis());
            case DISK_FULL -> fillDisk(at, effect);
            default -> throw new IllegalStateException(strike.text());
        }
        hooks.answer(at.strike(), answer);
        return in;
    }

    private OracleProcess taskManager(OracleHooks.Reached at, int any) throws Exception {
        return cluster.taskManager(at.pid(), rest.busyTaskManagers(), any);
    }

    private int server(OracleHooks.Reached at, int any) {
        return cluster.server(at.pid(), any, scale.servers());
    }

    private void stop(OracleProcess process, OracleHooks.Reached at) throws Exception {
        process.signal("STOP");
        try {
            hooks.answer(at.strike(), OracleHooks.Answer.GO);
            Thread.sleep(OracleCluster.STOPPED.toMillis());
        } finally {
            process.signal("CONT");
        }
    }

    private void cutOff(OracleProcess process, OracleHooks.Reached at) throws Exception {
        try (OracleNetwork.Cut cut =
                cluster.network().cutOff(process.host(), random.nextBoolean())) {
            LOG.info("{} is cut off by {}", process.host().name(), cut);
            hooks.answer(at.strike(), OracleHooks.Answer.GO);
            Thread.sleep(OracleCluster.STOPPED.toMillis());
        }
    }

    /** Fills the disk until that has had its effect on a cut that is written, or time is up. */
    private void fillDisk(OracleHooks.Reached at, OracleWatch.Condition effect) throws Exception {
        hooks.forgetFullDisk();
        fill();
        try {
            hooks.answer(at.strike(), OracleHooks.Answer.GO);
            OracleWatch.comes(
                    () -> {
                        fill(); // files that are given up make room
                        return hooks.sawFullDisk() && effect.isMet() || watch.isOver();
                    },
                    EFFECT_LIMIT);
        } finally {
            if (disk != null) {
                disk.free();
            }
            hooks.diskIsFull(false);
        }
    }

    private void fill() throws IOException {
        if (disk != null) {
            disk.fill();
        } else {
            hooks.diskIsFull(true);
        }
    }

    /** Stops the job with a savepoint and lets another one go on, once or twice. */
    private boolean rescale(Strike strike) throws Exception {
        boolean done = false;
        for (OraclePlan.Scale next : plan.scales(strike, scale)) {
            // One worker alone has nobody to be held for.
            boolean first = strike.phase() == Phase.DEFERRED && scale.workers() == 1;
            Phase phase = first || done ? Phase.TRAINING : strike.phase();
            OracleHooks.Reached reached = reach(phase);
            if (reached == null) {
                return done;
            }
            CompletableFuture<String> savepoint = stopWithSavepoint();
            boolean in = OracleWatch.comes(() -> rest.isSavepointUnderWay(id()), SOON);
            hooks.answer(reached.strike(), OracleHooks.Answer.GO);
            String path = savepoint(savepoint);
            if (path == null) {
                return done;
            }
            watch.await(watch::isOver, "the end of a job that was stopped");
            ended();
            scale = next;
            submit(path);
            done |= in && phase == strike.phase();
            watch.awaitProgress();
        }
        return done;
    }

    private CompletableFuture<String> stopWithSavepoint() {
        String place = folder.resolve("savepoints").toUri().toString();
        return job.stopWithSavepoint(false, place, SavepointFormatType.CANONICAL);
    }

    /**
     * Waits for a savepoint and returns its path; null if the job is over. Flink declines one at
     * bad moments; the job goes on then, and is stopped with another.
     */
    private String savepoint(CompletableFuture<String> begun) throws Exception {
        CompletableFuture<String> savepoint = begun;
        long deadline = System.nanoTime() + OracleWatch.LIMIT.toNanos();
        while (true) {
            try {
                return savepoint.get(OracleWatch.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                if (System.nanoTime() > deadline) {
                    throw new CommandException("the job was not stopped with a savepoint: " + e, e);
                }
            }
            watch.await(() -> watch.isOver() || watch.allTasksRun(), "a job to be stopped");
            if (watch.isOver()) {
                return null;
            }
            savepoint = stopWithSavepoint();
        }
    }

    /** Checks the cuts that an ended job has left, and counts its recoveries. */
    private void ended() throws Exception {
        recoveries += watch.checkpoints().restored();
        for (Path cut : CutCheck.cuts(jobs.modelFolder())) {
            if (checkedCuts.add(cut)) {
                Optional<Counts.Difference> found = check.cut(cut, id());
                retainedCuts += found.isPresent() ? 1 : 0;
                difference = difference.plus(found.orElse(Counts.Difference.NONE));
            }
        }
    }

    /** Leaves nothing running. */
    private void end() throws Exception {
        hooks.allMayEnd();
        if (job != null && !watch.isGone()) {
            job.cancel();
            OracleWatch.comes(watch::isGone, OracleWatch.LIMIT);
        }
    }
}
