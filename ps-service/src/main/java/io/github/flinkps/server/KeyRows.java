package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The rows of a list of keys, with their row numbers: what a pull leaves behind for the push of the
 * same list, and what key caching keeps.
 */
final class KeyRows extends RowSet {
    private static final int ABSENT = -1;

    /** The owner that the arrays go to when the list is over; null if they stay its own. */
    private final KeyArrays owner;

    private final int[] generations;
    private final boolean[] complete;

    /** The arrays of this list; null when they are another list's. */
    private KeyArrays.Pair arrays;

    private int uses;
    private boolean pinned;

    private KeyRows(
            OwnerTable table,
            KeyArrays.Pair arrays,
            KeyArrays owner,
            int[] partitions,
            int[] starts) {
        super(table, partitions, starts);
        this.owner = owner;
        this.arrays = arrays;
        this.generations = new int[partitions.length];
        this.complete = new boolean[partitions.length];
        Arrays.fill(generations, ABSENT);
    }

    /**
     * Splits a list by partitions. Its arrays stay its own and belong to no pool.
     *
     * @param hashes sparse: hashes in ascending unsigned order; dense: keys ascending; unique; kept
     * @throws PsException MALFORMED if the order is broken, NOT_OWNER or KEY_OUT_OF_RANGE for keys
     *     that have no place here
     */
    static KeyRows of(OwnerTable table, long[] hashes) {
        KeyArrays.Pair arrays = new KeyArrays.Pair(hashes, new int[hashes.length]);
        return of(table, arrays, hashes.length, null);
    }

    /**
     * Makes the rows of a list from arrays with its hashes.
     *
     * @param arrays with the hashes, which are the list's until it is {@link #release released}
     * @param count of them
     * @param owner of the arrays
     */
    static KeyRows of(OwnerTable table, KeyArrays.Pair arrays, int count, KeyArrays owner) {
        TableSpec spec = table.spec();
        long[] hashes = arrays.hashes();
        int[] partitions = new int[Math.min(count, table.owned().length)];
        int[] starts = new int[partitions.length + 1];
        int slices = 0;
        int i = 0;
        while (i < count) {
            int partition = partition(spec, hashes[i]);
            if (slices == partitions.length || table.log(partition) == null) {
                throw new PsException(
                        ErrorCode.NOT_OWNER,
                        "partition "
                                + partition
                                + " of table '"
                                + spec.name()
                                + "' is not owned here");
            }
            int end = end(spec, hashes, i, count, partition);
            partitions[slices] = partition;
            starts[slices++] = i;
            i = end;
        }
        starts[slices] = count;
        return new KeyRows(
                table,
                arrays,
                owner,
                Arrays.copyOf(partitions, slices),
                Arrays.copyOf(starts, slices + 1));
    }

    private static int partition(TableSpec spec, long hash) {
        if (spec.isSparse()) {
            return spec.partitionOfHash(hash);
        }
        if (hash < 0 || hash >= spec.size()) {
            throw new PsException(
                    ErrorCode.KEY_OUT_OF_RANGE,
                    "key "
                            + hash
                            + " is beyond table '"
                            + spec.name()
                            + "' of size "
                            + spec.size());
        }
        return (int) (hash / spec.rowsPerPartition());
    }

    /**
     * Returns the end of the slice that begins at {@code from}; checks the order up to and at the
     * border.
     */
    private static int end(TableSpec spec, long[] hashes, int from, int to, int partition) {
        long last = lastHash(spec, partition) ^ Long.MIN_VALUE;
        long before = hashes[from] ^ Long.MIN_VALUE;
        for (int i = from + 1; i < to; i++) {
            long hash = hashes[i] ^ Long.MIN_VALUE;
            if (hash <= before) {
                throw new PsException(
                        ErrorCode.MALFORMED,
                        "keys of table '" + spec.name() + "' are not sorted by hash, or repeat");
            }
            if (hash > last) {
                return i;
            }
            before = hash;
        }
        return to;
    }

    private static long lastHash(TableSpec spec, int partition) {
        if (!spec.isSparse()) {
            return spec.firstKey(partition + 1) - 1;
        }
        int bits = spec.partitionBits();
        return bits == 0 ? -1L : ((long) (partition + 1) << (64 - bits)) - 1;
    }

    /** Returns whether another list of the same table has the same keys. */
    boolean hasKeysOf(KeyRows other) {
        return count() == other.count()
                && Arrays.equals(
                        arrays.hashes(), 0, count(), other.arrays.hashes(), 0, other.count());
    }

    /** Hashes the first keys in place. */
    static void hash(KeyHash hash, long[] keys, int count) {
        for (int i = 0; i < count; i++) {
            keys[i] = hash.hash(keys[i]);
        }
    }

    /** Returns the memory of the arrays in bytes. */
    long bytes() {
        return 128 + arrays.bytes() + 16L * partitions.length;
    }

    @Override
    void retain() {
        uses++;
    }

    @Override
    void release() {
        uses--;
        assert uses >= 0 || owner == null;
        if (uses == 0 && owner != null && !pinned) {
            KeyArrays.Pair over = arrays;
            arrays = null;
            owner.giveBack(over);
        }
    }

    @Override
    void pin() {
        pinned = true;
    }

    @Override
    void prepare(boolean create, long clock) {
        for (int slice = 0; slice < partitions.length; slice++) {
            Partition partition = log(slice).partition();
            if (generations[slice] != partition.generation() || !complete[slice]) {
                resolve(slice, partition, create, clock);
            }
        }
    }

    private void resolve(int slice, Partition partition, boolean create, long clock) {
        int from = starts[slice];
        int to = starts[slice + 1];
        long[] hashes = arrays.hashes();
        int[] rows = arrays.rows();
        complete[slice] = false; // also if that fails
        partition.resolve(hashes, from, to, rows);
        generations[slice] = partition.generation();
        boolean all = true;
        for (int i = from; i < to && all; i++) {
            all = rows[i] != ABSENT;
        }
        if (!all && create) {
            partition.create(hashes, from, to, rows, log(slice).stepsBeforeRound(clock));
            all = true;
        }
        complete[slice] = all;
    }

    @Override
    void gather(int slice, Partition partition, FloatBuffer out) {
        partition.gather(arrays.hashes(), arrays.rows(), starts[slice], starts[slice + 1], out);
    }

    @Override
    void apply(int slice, Partition partition, FloatBuffer gradients, StepContext step) {
        partition.apply(arrays.rows(), starts[slice], starts[slice + 1], gradients, step);
    }

    @Override
    void apply(int slice, Partition partition, float[] gradients, StepContext step) {
        partition.apply(arrays.rows(), starts[slice], starts[slice + 1], gradients, 0, step);
    }

    @Override
    int row(int slice, int i) {
        return arrays.rows()[starts[slice] + i];
    }

    @Override
    long[] hashes(int slice) {
        return Arrays.copyOfRange(arrays.hashes(), starts[slice], starts[slice + 1]);
    }

    @Override
    boolean sameRows(int slice, RowSet other, int otherSlice) {
        return other == this && slice == otherSlice;
    }
}
