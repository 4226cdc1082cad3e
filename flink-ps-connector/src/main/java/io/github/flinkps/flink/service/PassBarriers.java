package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The barriers at which workers, and the service, meet after each pass when some rows validate.
 * Each wait has a deadline, after which a party may arrive again: see {@link
 * DoneBarrier#mustEnterAgain}.
 *
 * <pre>
 * trained    workers              their clocks: all go on at the highest, in one round
 * validated  workers and service  sums of validation losses and weights: all come to one verdict
 * kept       workers and service  the service has kept the model, if it is the best so far
 * </pre>
 */
public final class PassBarriers {
    private final ModelSession session;
    private final int workers;
    private final String prefix;

    /** Returns the barriers of an attempt of a job. */
    public PassBarriers(ModelSession session, int workers, String run, long fence) {
        this.session = session;
        this.workers = workers;
        this.prefix = "flink-ps.pass." + run + "." + fence + ".";
    }

    /**
     * Meets the other workers when one has trained a pass; returns the highest clock of all
     * workers.
     */
    public CompletableFuture<Long> trained(int epoch) {
        return meet(epoch, "trained", workers, (double) session.clock())
                .thenApply(all -> (long) all.stream().mapToDouble(v -> v[0]).max().orElse(0));
    }

    /**
     * Meets all others when a worker has measured its validation rows; returns what those of all
     * workers say. The service has none, passes 0, and waits for the workers.
     */
    public CompletableFuture<Measured> validated(
            int epoch, double lossSum, double weightSum, long rows) {
        return meet(epoch, "validated", workers + 1, lossSum, weightSum, (double) rows)
                .thenApply(PassBarriers::sum);
    }

    /**
     * The sums over the validation rows, which measure a pass.
     *
     * @param lossSum their losses, each by its weight
     * @param weightSum their weights
     * @param rows their number
     */
    public record Measured(double lossSum, double weightSum, long rows) {}

    /** Meets all others when the service has kept the model of a pass that is the best so far. */
    public CompletableFuture<Void> kept(int epoch) {
        return meet(epoch, "kept", workers + 1).thenApply(all -> null);
    }

    private CompletableFuture<List<double[]>> meet(
            int epoch, String what, int parties, double... values) {
        return session.gather(prefix + epoch + "." + what, parties, values, DoneBarrier.SLICE);
    }

    /**
     * Sums in the order of workers, so that the result is the same for every party and in every
     * run.
     */
    private static Measured sum(List<double[]> all) {
        double loss = 0;
        double weight = 0;
        long rows = 0;
        for (double[] each : all) {
            loss += each[0];
            weight += each[1];
            rows += (long) each[2];
        }
        return new Measured(loss, weight, rows);
    }
}
