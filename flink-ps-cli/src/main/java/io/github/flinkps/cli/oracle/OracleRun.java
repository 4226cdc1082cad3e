package io.github.flinkps.cli.oracle;

import io.github.flinkps.cli.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration REACH_LIMIT = Duration.ofSeconds(45);
    private static final Duration THROW_LIMIT = Duration.ofSeconds(3);
    private static final Duration DISK_FULL = Duration.ofMillis(700);
    private static final long POLL_MILLIS = 5;

    private final OraclePlan plan;
    private final OracleCluster cluster;
    private final OracleRest rest;
    private final OracleHooks hooks;
    private final OracleJob jobs;
    private final CutCheck check;
    private final Consumer<Strike> hit;
    private final SplittableRandom random;
    private final Path folder;
    private final Set<Path> checkedCuts = new HashSet<>();
    private Counts.Difference difference = Counts.Difference.NONE;
    private OraclePlan.Scale scale;
    private JobClient job;
    private int submitted;
    private int restarts;
    private int retainedCuts;

    /**
     * @param folder of the run's files
     * @param hit told of what has happened
     */
    OracleRun(
            OraclePlan plan,
            Path folder,
            OracleCluster cluster,
            OracleRest rest,
            Consumer<Strike> hit) {
        this.plan = plan;
        this.folder = folder;
        this.cluster = cluster;
        this.rest = rest;
        this.hit = hit;
        this.hooks = new OracleHooks(folder.resolve(OracleStorage.HOOKS));
        this.jobs = new OracleJob(plan, folder, hooks, cluster.restPort());
        this.check = new CutCheck(hooks, OracleJob.NUMBERS, plan.epochs());
        this.random = new SplittableRandom(~plan.seed());
        this.scale = plan.scale();
    }

    /** What was found wrong. */
    List<String> findings() {
        return check.findings();
    }

    /** Cuts that were read and compared. */
    int cuts() {
        return retainedCuts;
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
            awaitProgress(0);
            List<Strike> strikes = plan.strikes();
            for (int i = 0; i < strikes.size() && !isOver(); i++) {
                strike(2 * i, strikes.get(i));
            }
            hooks.allMayEnd();
            await(this::isOver, LIMIT, "its end");
            ended();
        } finally {
            end();
        }
        difference = difference.plus(check.model(jobs.output()));
        int wrong = findings().isEmpty() || !difference.none() ? 0 : 1;
        return new OracleReport.Run(
                plan.seed(),
                submitted - 1 + restarts,
                difference.keys(),
                difference.lost() + wrong,
                difference.doubled());
    }

    private void submit(String savepoint) throws Exception {
        List<String> remote = plan.remote() ? cluster.servers(scale.servers()) : List.<String>of();
        job = jobs.submit(scale, remote, savepoint);
        submitted++;
        LOG.info("Job {} {} from {}", id(), scale, savepoint);
    }

    private String id() {
        return job.getJobID().toString();
    }

    private boolean isOver() throws IOException, InterruptedException {
        String state = rest.state(id());
        if (state.equals("FAILED") || state.equals("CANCELED")) {
            throw new CommandException(
                    "seed " + plan.seed() + ": the job is " + state + ": " + rest.failure(id()));
        }
        return state.equals("FINISHED");
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void await(Condition condition, Duration limit, String what) throws Exception {
        if (!comes(condition, limit)) {
            throw new CommandException(
                    "seed "
                            + plan.seed()
                            + ": waited in vain for "
                            + what
                            + ", the job is "
                            + rest.state(id())
                            + "; last failure: "
                            + rest.failure(id()));
        }
    }

    private boolean comes(Condition condition, Duration limit) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** All tasks run, and one more checkpoint is complete; or the job is over. */
    private void awaitProgress(int completedBefore) throws Exception {
        LOG.info(
                "Waits for a checkpoint beyond {}, {} restarts",
                completedBefore,
                rest.restarts(id()));
        await(
                () ->
                        isOver()
                                || rest.completedCheckpoints(id()) > completedBefore
                                        && rest.allTasksRun(id()),
                LIMIT,
                "a checkpoint");
    }

    private void strike(int number, Strike strike) throws Exception {
        boolean late = strike.phase() == Phase.RESTORING || strike.phase() == Phase.TRAINING;
        if (number > 0 && late) {
            hooks.sourceMayEnd();
        }
        if (strike.fault().stops()) {
            rescale(number, strike);
            return;
        }
        int before = rest.completedCheckpoints(id());
        OracleHooks.Reached reached = reach(number, strike.phase());
        if (reached == null) {
            return;
        }
        act(reached, strike);
        LOG.info("Struck by {}", strike.text());
        hit.accept(strike);
        if (strike.phase() != Phase.FINISHING) {
            awaitProgress(Math.max(before, rest.completedCheckpoints(id())));
        }
    }

    /** Waits until a phase is reached; null if the job ends before. */
    private OracleHooks.Reached reach(int number, Phase phase) throws Exception {
        hooks.arm(number, phase);
        if (phase == Phase.RESTORING) {
            hooks.failWorker();
        } else if (phase == Phase.FINISHING) {
            hooks.allMayEnd();
        }
        comes(() -> hooks.reached(number) != null || isOver(), REACH_LIMIT);
        hooks.disarm();
        OracleHooks.Reached reached = hooks.reached(number);
        LOG.info("Phase {} {}", phase.text(), reached == null ? "was not reached" : reached);
        return reached;
    }

    /** Lets a fault happen where a process waits in a phase, and lets that go on. */
    private void act(OracleHooks.Reached at, Strike strike) throws Exception {
        OracleHooks.Answer answer = OracleHooks.Answer.GO;
        int any = random.nextInt(1 << 20);
        switch (strike.fault()) {
            case WORKER_EXCEPTION -> {
                if (strike.phase() == Phase.TRAINING) {
                    answer = OracleHooks.Answer.FAIL;
                } else {
                    hooks.failWorker();
                    comes(() -> !hooks.workerFailureIsDue(), THROW_LIMIT);
                }
            }
            case TASK_MANAGER_KILL -> {
                cluster.taskManager(at.pid(), any).kill();
                cluster.startTaskManager();
            }
            case SERVER_KILL ->
                    cluster.restartServer(cluster.server(at.pid(), any, scale.servers()));
            case TASK_MANAGER_STOP -> stop(cluster.taskManager(at.pid(), any), at);
            case SERVER_STOP ->
                    stop(cluster.serverProcess(cluster.server(at.pid(), any, scale.servers())), at);
            case CHECKPOINT_FAILURE -> {
                if (strike.phase() == Phase.ALIGNING || strike.phase() == Phase.HELD) {
                    hooks.failCheckpoint();
                } else {
                    answer = OracleHooks.Answer.FAIL;
                }
            }
            case CHECKPOINT_TIMEOUT -> Thread.sleep(OracleJob.beyondCheckpointTimeout().toMillis());
            case DISK_FULL -> {
                hooks.diskIsFull(true);
                answer = OracleHooks.Answer.DISK_FULL;
            }
            default -> throw new IllegalStateException(strike.text());
        }
        hooks.answer(at.strike(), answer);
        if (strike.fault() == Fault.DISK_FULL) {
            Thread.sleep(DISK_FULL.toMillis());
            hooks.diskIsFull(false);
        }
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

    /** Stops the job with a savepoint and lets another one go on, once or twice. */
    private void rescale(int number, Strike strike) throws Exception {
        List<OraclePlan.Scale> scales = plan.scales(strike, scale);
        boolean done = false;
        for (int i = 0; i < scales.size(); i++) {
            // One worker alone has nobody to be held for.
            boolean first = strike.phase() == Phase.HELD && scale.workers() == 1;
            Phase phase = first || done ? Phase.TRAINING : strike.phase();
            OracleHooks.Reached reached = reach(number + i, phase);
            if (reached == null) {
                return;
            }
            CompletableFuture<String> savepoint = stopWithSavepoint();
            hooks.answer(number + i, OracleHooks.Answer.GO);
            String path = savepoint(savepoint);
            if (path == null) {
                return;
            }
            await(this::isOver, LIMIT, "the end of a job that was stopped");
            ended();
            scale = scales.get(i);
            submit(path);
            if (phase == strike.phase()) {
                hit.accept(strike);
                done = true;
            }
            awaitProgress(0);
        }
    }

    private CompletableFuture<String> stopWithSavepoint() {
        String place = folder.resolve("savepoints").toUri().toString();
        return job.stopWithSavepoint(false, place, SavepointFormatType.CANONICAL);
    }

    /** Flink declines a savepoint at bad moments; the job goes on then. Null: it is over. */
    private String savepoint(CompletableFuture<String> begun) throws Exception {
        CompletableFuture<String> savepoint = begun;
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                return savepoint.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
            await(() -> isOver() || rest.allTasksRun(id()), LIMIT, "a job to be stopped");
            if (isOver()) {
                return null;
            }
            savepoint = stopWithSavepoint();
        }
    }

    /** A job has ended: reads the cuts it has left. */
    private void ended() throws Exception {
        restarts += rest.restarts(id());
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
        if (job != null && !rest.state(id()).equals("FINISHED")) {
            job.cancel();
            comes(() -> rest.state(id()).matches("CANCELED|FAILED|FINISHED"), LIMIT);
        }
    }
}
