package io.github.flinkps.harness.bench;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;

/**
 * A sparse table whose keys 0 to {@code size - 1} are all born, cut into lists of equal length that
 * share no key; how often each list was pushed to is counted. Rows are born in another grouping
 * than the lists', so that those of a list lie scattered.
 *
 * @param size number of keys
 * @param listKeys keys of a list
 * @param pushes by list
 */
record SparseTable(TableSpec spec, int size, int listKeys, AtomicLongArray pushes) {
    private static final int MAX_LISTS = 96;
    private static final int IN_FLIGHT = 4;

    /**
     * Makes the table and all its rows.
     *
     * @param keyBits of the key space; 64: keys travel as int64
     */
    static SparseTable create(
            List<ModelSession> sessions, int keyBits, int size, int listKeys, int width) {
        return create(sessions, keyBits, size, listKeys, width, rows -> {});
    }

    /**
     * Creates the table and reports how far it has come.
     *
     * @param made told now and then how many rows there are
     */
    static SparseTable create(
            List<ModelSession> sessions,
            int keyBits,
            int size,
            int listKeys,
            int width,
            IntConsumer made) {
        String name = "sparse-" + size + "-" + width + "-" + keyBits;
        TableSpec spec =
                TableSpec.sparse(name, width, UpdateSpec.sgd(Values.RATE)).withKeyBits(keyBits);
        for (ModelSession session : sessions) {
            LoadDriver.await(session.createTable(spec));
        }
        int lists = Math.max(1, Math.min(MAX_LISTS, size / listKeys));
        SparseTable table = new SparseTable(spec, size, listKeys, new AtomicLongArray(lists));
        table.populate(sessions.get(0), made);
        return table;
    }

    private void populate(ModelSession session, IntConsumer made) {
        float[] zeros = new float[listKeys * spec.width()];
        ArrayDeque<Future<Void>> underWay = new ArrayDeque<>();
        for (int from = 0; from < size; from += listKeys) {
            long[] keys = new long[Math.min(listKeys, size - from)];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = (long) from + i;
            }
            KeyList list = session.keys(spec.name(), keys, 0, keys.length);
            if (underWay.size() == IN_FLIGHT) {
                LoadDriver.await(underWay.poll());
                made.accept(from - (IN_FLIGHT - 1) * listKeys);
            }
            CompletableFuture<Void> pushed = session.exchange().push(list, zeros, 1).send();
            underWay.add(pushed);
        }
        underWay.forEach(LoadDriver::await);
    }

    int lists() {
        return pushes.length();
    }

    /** Returns a list, prepared anew: its keys have not been sent. */
    KeyList keys(ModelSession session, int list) {
        int stride = size / listKeys;
        long[] keys = new long[listKeys];
        for (int i = 0; i < listKeys; i++) {
            keys[i] = list + (long) i * stride;
        }
        return session.keys(spec.name(), keys, 0, listKeys);
    }

    void check(int list, float[] values) {
        Values.check(spec.name(), values, listKeys, spec.width(), pushes.get(list));
    }
}
