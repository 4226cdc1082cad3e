package io.github.flinkps.client;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.model.cut.ManifestRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One registration with a model: a worker with a clock, or a plain client without one. Calls may
 * come from any one thread at a time; operations take effect at each partition in the order of the
 * calls.
 */
public interface ModelSession extends AutoCloseable {
    /** Creates a table on every server; an equal definition is fine, another is refused. */
    CompletableFuture<TableSpec> createTable(TableSpec spec);

    /** Returns the definition of a table. */
    CompletableFuture<TableSpec> describe(String table);

    /**
     * Returns what the update function of a table takes of a push, as its servers say: they alone
     * need to have the function. The table must have been created or described through this
     * session.
     *
     * @throws io.github.flinkps.common.PsException UNKNOWN_TABLE naming the table
     */
    UpdateInput updateInput(String table);

    /** Removes a table from every server; an absent one is fine. */
    CompletableFuture<Void> dropTable(String table);

    /** Returns the names of the model's tables, sorted. */
    CompletableFuture<List<String>> tables();

    /**
     * Prepares keys of a table for any number of pulls and pushes: sorted by hash, unique, cut by
     * owner. The table must have been created or described through this session.
     *
     * @param keys any order, may repeat; not kept
     * @throws io.github.flinkps.common.PsException KEY_OUT_OF_RANGE naming the key
     */
    KeyList keys(String table, long[] keys, int from, int to);

    /** Returns a new operation on any of the model's tables. */
    Exchange exchange();

    /** Returns the number of mini-batches that this worker has finished. */
    long clock();

    /**
     * Returns by how many mini-batches this worker was ahead of the slowest at the newest answer.
     * The largest lead of all workers is how far apart their clocks are. 0 before the first answer,
     * and once the others have finished.
     */
    long lead();

    /**
     * Suspends reads of the model: sessions of no attempt wait until {@link #serve}, or until the
     * model is rolled back by {@link #beginCuts}. Of a session of an attempt, before it creates or
     * loads rows that are not yet those it goes on from.
     */
    CompletableFuture<Void> suspend();

    /** Lets readers in again. Of a session of an attempt. */
    CompletableFuture<Void> serve();

    /** Returns how the model stands. */
    CompletableFuture<ModelState> state();

    /**
     * Completes when {@code parties} sessions of the model have arrived at the barrier of this
     * name, or fails at the deadline.
     */
    default CompletableFuture<Void> barrier(String name, int parties, Duration timeout) {
        return barrier(name, parties, new double[0], timeout).thenApply(all -> null);
    }

    /**
     * Returns such a barrier, where every party learns what all have brought: the values of each,
     * in the order of workers, sessions without a worker first.
     *
     * @param values at most 64; not kept
     */
    CompletableFuture<List<double[]>> barrier(
            String name, int parties, double[] values, Duration timeout);

    /**
     * Returns a barrier that is met once, where every party learns what all have brought: the
     * values of each, in the order of workers, sessions without a worker first. Who arrives after
     * it was met is told the same, so that a party whose wait was too short can arrive again.
     * Servers remember the latest 256.
     *
     * @param name never used before for another meeting
     * @param values at most 1024; not kept
     */
    CompletableFuture<List<double[]>> gather(
            String name, int parties, double[] values, Duration timeout);

    /**
     * Returns an aggregate of a table: {@code count}, {@code sum}, {@code norm}, {@code dot} with
     * another table, {@code top-k}, or one found on the class path of servers and client.
     */
    CompletableFuture<AggregateResult> aggregate(
            String table, String function, List<String> arguments);

    /**
     * Reads rows of a partition as stored, in chunks.
     *
     * @param cursor 0 at first, then {@link RowChunk#nextCursor}
     * @return rows; fails with ROLLED_BACK if the model was rolled back since the first of them, so
     *     that the scan must begin anew
     */
    CompletableFuture<RowChunk> scan(String table, int partition, long cursor, boolean withSlots);

    /** Stores rows as they are, values and slots, without an optimizer's step. */
    CompletableFuture<Void> load(String table, RowChunk rows);

    /**
     * Says that this worker has no mini-batches for now: the others stop waiting for it, and rounds
     * of BSP are complete without it, until it joins again.
     */
    CompletableFuture<Void> idle();

    /**
     * Takes part again, at the lowest clock of the others. Not under BSP, whose rounds would depend
     * on the moment: see {@link #rejoin(long)}.
     */
    CompletableFuture<Void> rejoin();

    /**
     * Takes part again, at this clock. Workers of BSP that were all idle and all join at one clock,
     * not below that of any, before any of them pushes, go on in the same rounds.
     *
     * @param clock not below this worker's, which stays where it is otherwise
     */
    CompletableFuture<Void> rejoin(long clock);

    /**
     * Says where the cuts of this attempt go, and rolls the whole model to one, values, slots and
     * clocks, before anything is trained: of a worker, once per attempt, before its first exchange.
     * Every worker must name the same.
     *
     * @return this worker's clock from now on; {@link Long#MAX_VALUE} if it had finished
     */
    CompletableFuture<Long> beginCuts(CutOrigin origin, Duration timeout);

    /**
     * Begins cuts with the servers' own settings.
     *
     * @param manifest of the cut to roll to; null: the model stays as it is
     */
    default CompletableFuture<Long> beginCuts(
            String directory, ManifestRef manifest, Duration timeout) {
        return beginCuts(new CutOrigin(directory, manifest, false, Duration.ZERO), timeout);
    }

    /**
     * Ends what belongs to a cut in this worker's log: what came before is in the cut, what comes
     * after has no effect until the cut is frozen or given up. Acknowledged at once.
     *
     * @param cut its number, ascending
     * @param completeCut the newest cut of this attempt known to be complete, of which this one may
     *     be an increment; 0 for none
     */
    CompletableFuture<Void> marker(long cut, long completeCut);

    /**
     * Completes when every server has made its part of a cut durable; fails with CUT_FAILED when
     * one has given it up.
     */
    CompletableFuture<CutReport> awaitCut(long cut, Duration timeout);

    /** Gives a cut up, also one that has not begun: markers that come later defer nothing. */
    CompletableFuture<Void> abortCut(long cut, String reason);

    /**
     * Calls the listener whenever a pull of this worker is put off because another worker, for
     * which it waits, is deferred at a barrier to which this one has not come. Called by an event
     * loop; must not block. The pull is tried again by itself.
     */
    void onCutPending(Runnable listener);

    /** Says that this worker has finished: its clock becomes infinite. */
    CompletableFuture<Void> deregister();

    /** Fails what is in flight with CLOSED and forgets the session here; idempotent. */
    @Override
    void close();
}
