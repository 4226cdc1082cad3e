package io.github.flinkps.harness.oracle;

import io.github.flinkps.cli.run.CommandException;
import java.io.IOException;
import java.time.Duration;

/** Follows a job and waits for what it does. One thread. */
final class OracleWatch {
    /** The longest time that anything may take. */
    static final Duration LIMIT = Duration.ofMinutes(2);

    private static final long POLL_MILLIS = 5;

    private final OracleRest rest;
    private final String job;
    private final boolean checkpoints;

    /**
     * @param checkpoints whether the job takes some
     */
    OracleWatch(OracleRest rest, String job, boolean checkpoints) {
        this.rest = rest;
        this.job = job;
        this.checkpoints = checkpoints;
    }

    /** The condition that is waited for. */
    interface Condition {
        boolean isMet() throws Exception;
    }

    /** Waits for a condition; false if it does not come in time. */
    static boolean comes(Condition condition, Duration limit) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.isMet()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /**
     * @param what is waited for
     */
    void await(Condition condition, String what) throws Exception {
        if (!comes(condition, LIMIT)) {
            throw new CommandException(
                    "waited in vain for "
                            + what
                            + ", the job is "
                            + rest.state(job)
                            + "; last failure: "
                            + rest.failure(job));
        }
    }

    /** Returns whether the job has ended as it is to. */
    boolean isOver() throws IOException, InterruptedException {
        String state = rest.state(job);
        if (state.equals("FAILED") || state.equals("CANCELED")) {
            throw new CommandException("the job is " + state + ": " + rest.failure(job));
        }
        return state.equals("FINISHED");
    }

    /** Returns whether the job has ended, as it is to or not. */
    boolean isGone() throws IOException, InterruptedException {
        return rest.state(job).matches("CANCELED|FAILED|FINISHED");
    }

    boolean allTasksRun() throws IOException, InterruptedException {
        return rest.allTasksRun(job);
    }

    /** Returns its checkpoints; of a job without, how often it has begun anew. */
    OracleRest.Checkpoints checkpoints() throws IOException, InterruptedException {
        return checkpoints
                ? rest.checkpoints(job)
                : new OracleRest.Checkpoints(0, 0, rest.restarts(job));
    }

    /**
     * Waits until all tasks run and, where checkpoints are taken, one more is complete; or until
     * the job is over.
     */
    void awaitProgress() throws Exception {
        if (!checkpoints) {
            await(() -> isOver() || allTasksRun(), "all tasks to run");
            return;
        }
        int before = checkpoints().completed();
        await(
                () -> isOver() || checkpoints().completed() > before && allTasksRun(),
                "a checkpoint");
    }
}
