package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.model.cut.CutProgress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The barrier at which every worker and the service meet when training is over; behind it the model
 * is saved and the servers go. Workers may come hours apart, so whoever still waits at the
 * barrier's deadline enters again.
 */
public final class DoneBarrier {
    /** The deadline of one wait. */
    public static final Duration SLICE = Duration.ofSeconds(10);

    private static final String NAME = "flink-ps.done";

    private DoneBarrier() {}

    /**
     * Enters the barrier of an attempt of a job. (Each has its own: who stays at one until its
     * deadline must not count in the next job that trains the same model.)
     *
     * @param told what all learn of a worker: rows that it has trained, the sum of their losses,
     *     each times its weight, and of their weights; none of who is no worker
     * @return what was told of all
     */
    public static CompletableFuture<List<double[]>> enter(
            ModelSession session, int workers, String run, long fence, double... told) {
        return session.barrier(NAME + "." + run + "." + fence, workers + 1, told, SLICE);
    }

    /** Returns how far all have trained, by what was told of each. */
    static CutProgress progress(List<double[]> all) {
        double[] sums = new double[3];
        int workers = 0;
        for (double[] told : all) {
            workers += told.length == sums.length ? 1 : 0;
            for (int i = 0; i < sums.length && told.length == sums.length; i++) {
                sums[i] += told[i];
            }
        }
        return new CutProgress(-1, workers, (long) sums[0], sums[1], sums[2]);
    }

    /**
     * Meets the service when it has saved the model, which it does once all have met. A worker that
     * ends before takes the service with it: when a job is drained, nothing else holds its tasks.
     */
    public static CompletableFuture<Void> saved(
            ModelSession session, int workers, String run, long fence) {
        return session.gather(
                        NAME + ".saved." + run + "." + fence, workers + 1, new double[0], SLICE)
                .thenApply(all -> null);
    }

    /** Returns whether a wait ended only because others are not there yet. */
    public static boolean mustEnterAgain(Throwable failure) {
        return switch (ServiceException.code(failure)) {
            case TIMEOUT, NOT_READY -> true;
            default -> false;
        };
    }
}
