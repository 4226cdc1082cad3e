package io.github.flinkps.client;

import io.github.flinkps.codec.ValueFormat;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pushes of a worker behind a {@link PushFilter}: adds what is retained to the gradients of a
 * mini-batch, pushes what the filter lets through and retains the rest.
 *
 * <p>What is retained adds up so that the optimizer makes one step for the sum of the gradients.
 * Where it steps with the mean, that is the sum of the mini-batches' means: what is retained is
 * kept as gradient over weight, and scaled by the weight of the mini-batch it is sent with.
 *
 * <p>Some rows of a mini-batch travel with their keys, all of them with a signature. Where the
 * filter lets so many rows through that this would be longer, all are pushed. Tables of which a
 * push replaces the rows ({@code assign}) are not filtered. Which function is which the servers say
 * ({@link ModelSession#updateInput}). One thread.
 */
public final class FilteredPushes {
    private final ModelSession session;
    private final PushFilter filter;
    private final Residuals residuals;
    private final Map<String, Table> tables = new HashMap<>();
    private long pushedRows;
    private long retainedRows;

    /** Begins with what is retained, for a session whose values are not rounded. */
    public FilteredPushes(
            ModelSession session, List<TableSpec> specs, PushFilter filter, Residuals residuals) {
        this(session, ValueEncodings.EXACT, specs, filter, residuals);
    }

    /**
     * Begins with what is retained.
     *
     * @param encodings of the session
     * @param specs of the session's tables
     * @param residuals what is retained of them
     */
    public FilteredPushes(
            ModelSession session,
            ValueEncodings encodings,
            List<TableSpec> specs,
            PushFilter filter,
            Residuals residuals) {
        this.session = session;
        this.filter = filter;
        this.residuals = residuals;
        specs.forEach(spec -> tables.put(spec.name(), new Table(spec, encodings.of(spec))));
    }

    /**
     * Adds the push of a mini-batch to an operation, if anything of it is to be sent.
     *
     * @param values as pulled
     * @param gradients in the order of the keys; changed
     * @param weight of the mini-batch
     */
    public void push(
            Exchange exchange, KeyList keys, float[] values, float[] gradients, double weight) {
        Table table = tables.get(keys.table());
        table.begin(keys, 0, keys.size());
        if (!table.pushedSome(exchange, values, gradients, weight)) {
            exchange.push(keys, gradients, weight);
        }
    }

    /** Pushes rows of a dense table from a key on, as {@link #push} does. */
    public void pushRange(
            Exchange exchange,
            String name,
            long fromKey,
            int rows,
            float[] values,
            float[] gradients,
            double weight) {
        Table table = tables.get(name);
        table.begin(null, fromKey, rows);
        if (!table.pushedSome(exchange, values, gradients, weight)) {
            exchange.pushRange(name, fromKey, fromKey + rows, gradients, weight);
        }
    }

    /**
     * Adds all that is retained to an operation and ends a mini-batch with it, if anything is.
     *
     * @param weight of a mini-batch
     * @return whether anything is
     */
    public boolean pushRest(Exchange exchange, double weight) {
        List<Residual> rest = residuals.take();
        for (Residual retained : rest) {
            KeyList keys = session.keys(retained.table(), retained.keys(), 0, retained.rows());
            int width = retained.width();
            float[] updates = new float[retained.rows() * width];
            double factor = tables.get(retained.table()).isMean() ? weight : 1;
            for (int row = 0; row < retained.rows(); row++) {
                int to = keys.positions()[row] * width;
                for (int i = 0; i < width; i++) {
                    updates[to + i] = (float) (retained.values()[row * width + i] * factor);
                }
            }
            exchange.push(keys, updates, weight);
            pushedRows += retained.rows();
        }
        if (!rest.isEmpty()) {
            exchange.clock(weight);
        }
        return !rest.isEmpty();
    }

    /** Returns how many rows were pushed, each counted as often as it was. */
    public long pushedRows() {
        return pushedRows;
    }

    /** Returns how many rows were retained, each counted as often as it was. */
    public long retainedRows() {
        return retainedRows;
    }

    /** A table, and the mini-batch of it that is looked at. */
    private final class Table implements PushFilter.Rows {
        private final TableSpec spec;
        private final ValueFormat format;
        private final BitSet retained = new BitSet();
        private long[] sentKeys = new long[0];
        private KeyList keys;
        private long firstKey;
        private int count;
        private float[] values;
        private float[] updates;
        private double weight;
        private UpdateInput input;

        Table(TableSpec spec, ValueEncodings encodings) {
            this.spec = spec;
            this.format = encodings.push().format(spec.width());
        }

        /**
         * @param list null: the rows of keys from {@code from} on
         */
        void begin(KeyList list, long from, int rows) {
            keys = list;
            firstKey = from;
            count = rows;
        }

        /**
         * Returns what a push to the table is; asked for when there is one, as servers know then.
         */
        private UpdateInput input() {
            if (input == null) {
                input = session.updateInput(spec.name());
            }
            return input;
        }

        private boolean isMean() {
            return input() == UpdateInput.GRADIENT_MEAN;
        }

        /** Returns whether some of it is retained, and what is not has been pushed. */
        boolean pushedSome(
                Exchange exchange, float[] pulled, float[] gradients, double batchWeight) {
            boolean mean = isMean();
            if (input() == UpdateInput.VALUE || mean && batchWeight == 0) { // which has no mean
                return false;
            }
            values = pulled;
            updates = gradients;
            weight = batchWeight;
            for (int row = 0; row < count; row++) {
                residual(row).addTo(updates, row * spec.width(), key(row), mean ? weight : 1);
            }
            retained.clear();
            filter.filter(this);
            int sent = count - retained.cardinality();
            if (sent > 0 && !isShorter(sent)) {
                retained.clear();
                sent = count;
            }
            part();
            pushedRows += sent;
            retainedRows += count - sent;
            if (sent > 0 && sent < count) {
                exchange.push(session.keys(spec.name(), sentKeys, 0, sent), updates, weight);
            }
            return sent < count;
        }

        /**
         * Returns whether the push of some rows is shorter than that of all, whose keys servers
         * know from the pull.
         */
        private boolean isShorter(int sent) {
            int keyBytes = Long.BYTES;
            if (spec.isSparse() && spec.keyBits() < Long.SIZE) { // the distances of the keys
                int bits = spec.keyBits() - (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(sent));
                keyBytes = Math.max(0, bits + Byte.SIZE - 1) / Byte.SIZE;
            }
            long sentBytes = (long) sent * keyBytes + format.valueBytes(sent);
            return sentBytes < format.valueBytes(count);
        }

        private ResidualRows residual(int row) {
            return residuals.part(spec.name(), key(row));
        }

        /**
         * Retains what is to be retained, and moves the rest to the front: in the order of the
         * mini-batch, which is that of any list of its keys.
         */
        private void part() {
            if (sentKeys.length < count) {
                sentKeys = new long[count];
            }
            int sent = 0;
            int width = spec.width();
            double scale = isMean() ? 1 / weight : 1;
            for (int row = 0; row < count; row++) {
                if (retained.get(row)) {
                    residual(row).put(key(row), updates, row * width, scale);
                } else {
                    residual(row).remove(key(row));
                    System.arraycopy(updates, row * width, updates, sent * width, width);
                    sentKeys[sent++] = key(row);
                }
            }
        }

        @Override
        public TableSpec table() {
            return spec;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public long key(int row) {
            return keys == null ? firstKey + row : keys.key(row);
        }

        @Override
        public float[] values() {
            return values;
        }

        @Override
        public float[] updates() {
            return updates;
        }

        @Override
        public double weight() {
            return weight;
        }

        @Override
        public long clock() {
            return session.clock();
        }

        @Override
        public void retain(int row) {
            retained.set(row);
        }
    }
}
