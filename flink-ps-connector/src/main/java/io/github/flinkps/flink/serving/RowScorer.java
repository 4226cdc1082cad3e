package io.github.flinkps.flink.serving;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Scores rows by pulling what they touch, unless it was pulled a short time ago. One thread at a
 * time, which waits for the servers at most as long as the timeout says.
 */
public final class RowScorer {
    private final ModelSession session;
    private final TrainingModel model;
    private final CachedTable[] tables;
    private final long freshNanos;
    private final Duration timeout;
    private final LongSupplier nanoTime;
    private final Collected collected = new Collected();

    /**
     * @param session with the model, whose tables are there; stays the caller's
     * @param cachedRows of each table that are remembered
     * @param fresh how long a row that was pulled is used again
     * @param nanoTime a clock, as {@link System#nanoTime}
     */
    public RowScorer(
            ModelSession session,
            TrainingModel model,
            int cachedRows,
            Duration fresh,
            Duration timeout,
            LongSupplier nanoTime)
            throws ServingException {
        this.session = session;
        this.model = model;
        this.freshNanos = fresh.toNanos();
        this.timeout = timeout;
        this.nanoTime = nanoTime;
        List<TableSpec> specs = model.tables();
        this.tables = new CachedTable[specs.size()];
        for (int i = 0; i < tables.length; i++) {
            TableSpec spec = specs.get(i);
            await(session.describe(spec.name()), "looking for table '" + spec.name() + "'");
            tables[i] = new CachedTable(spec, cachedRows);
        }
    }

    /**
     * Returns the scores of the rows, {@link TrainingModel#scoresPerRow} each, row by row.
     *
     * @throws ServingException if the servers do not answer
     * @throws IllegalArgumentException naming a key that lies outside its table
     */
    public float[] score(RowBatch rows) throws ServingException {
        for (CachedTable table : tables) {
            table.begin();
        }
        model.touch(rows, 0, rows.rows(), collected);
        pull(rows.rows());
        float[] scores = new float[Math.multiplyExact(rows.rows(), model.scoresPerRow())];
        model.score(rows, 0, rows.rows(), collected, scores, 0);
        return scores;
    }

    /**
     * Returns the values of rows of a table, its width each, in the order of the keys.
     *
     * @param table its index among the model's
     * @param keys each once or several times; a sparse table has any, and such as it never heard of
     *     have the values with which training would begin
     * @return the caller's
     * @throws ServingException if the servers do not answer
     */
    public float[] values(int table, long[] keys) throws ServingException {
        for (CachedTable each : tables) {
            each.begin();
        }
        tables[table].add(keys, 0, keys.length);
        pull(keys.length);
        return Arrays.copyOf(
                tables[table].values(), keys.length * model.tables().get(table).width());
    }

    private void pull(int rows) throws ServingException {
        long oldest = nanoTime.getAsLong() - freshNanos;
        Exchange exchange = session.exchange().timeout(timeout);
        boolean any = false;
        for (CachedTable table : tables) {
            any |= table.pull(session, exchange, oldest);
        }
        if (any) {
            await(exchange.send(), "pulling the parameters of " + rows + " rows");
        }
        long now = nanoTime.getAsLong();
        for (CachedTable table : tables) {
            table.arrived(now);
        }
    }

    private <T> T await(CompletableFuture<T> future, String what) throws ServingException {
        return ServingException.await(future, timeout, what);
    }

    /** The keys of the rows that are scored, and their rows. */
    private final class Collected implements KeyCollector, Parameters {
        @Override
        public void add(int table, long[] keys, int from, int to) {
            tables[table].add(keys, from, to);
        }

        @Override
        public void add(int table, long key) {
            tables[table].add(new long[] {key}, 0, 1);
        }

        @Override
        public void range(int table, long fromKey, long toKey) {
            tables[table].range(fromKey, toKey);
        }

        @Override
        public int rows(int table) {
            return tables[table].rows();
        }

        @Override
        public float[] values(int table) {
            return tables[table].values();
        }

        @Override
        public int[] positions(int table) {
            return tables[table].positions();
        }

        /** Returns the same seed always, so that the same rows always have the same scores. */
        @Override
        public long seed() {
            return 0;
        }
    }
}
