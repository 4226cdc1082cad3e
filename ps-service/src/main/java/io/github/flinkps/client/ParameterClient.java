package io.github.flinkps.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The connections of one process to the servers of a parameter service. Thread-safe; close sessions
 * first. Every returned future completes within its deadline, with a result or with a {@link
 * io.github.flinkps.common.PsException}. Callbacks on futures run on a transport thread and must
 * not block.
 */
public interface ParameterClient extends AutoCloseable {
    /**
     * Creates the model on every server if it is not there yet (with the same definition, else
     * refused), and registers this session with it.
     */
    CompletableFuture<ModelSession> open(SessionSpec spec);

    /**
     * Makes an attempt of a job the model's only one: completes with its fence, which is above all
     * before it, when no server takes anything of an older fence any more (FENCED). Asked again for
     * the same attempt, it is the same fence.
     *
     * <p>Fails with FENCED if another attempt is granted the model at the same time, and for a run
     * that another one has replaced: who has lost a model does not take it back.
     *
     * @param run identity of the job over all its attempts
     * @param attempt a name for this attempt which no other has
     */
    CompletableFuture<Long> grantFence(String model, String run, String attempt, Duration timeout);

    /**
     * Returns whether an attempt has the model: every server has granted it to that one last.
     * Changes nothing.
     *
     * @param attempt as in {@link #grantFence}
     */
    CompletableFuture<Boolean> hasAttempt(String model, String attempt, Duration timeout);

    /**
     * Removes a model with its tables from every server; absent ones are fine. A server that cannot
     * be reached fails the future, after the others have removed it.
     */
    default CompletableFuture<Void> dropModel(String model, Duration timeout) {
        return dropModel(model, 0, timeout);
    }

    /**
     * Removes a model if no newer attempt than that of the fence has it (FENCED).
     *
     * @param fence of the attempt, or 0 to remove it whoever has it
     */
    CompletableFuture<Void> dropModel(String model, long fence, Duration timeout);

    /**
     * Keeps a model where every server has what earlier attempts of the run have trained, and no
     * server has lost a round of it. Else removes it from all.
     *
     * @param run identity of the job over all its attempts
     * @param fence of the attempt
     * @return whether it is kept
     */
    CompletableFuture<Boolean> keepModel(String model, String run, long fence, Duration timeout);

    /**
     * Returns the names of the models that every server has and lets this client read, in their
     * order. Whether any model is trained, or lies on these servers in this order, it does not say.
     */
    CompletableFuture<List<String>> models(Duration timeout);

    /** Returns one line per server: uptime, models, tables, rows, bytes, requests. */
    CompletableFuture<List<ServerStats>> stats(Duration timeout);

    /**
     * Returns the bytes of frames sent and received so far, as encoded, also on the socketless
     * path.
     */
    TrafficCounters traffic();

    /** Closes connections; futures in flight fail with CLOSED. Idempotent, bounded in time. */
    @Override
    void close();
}
