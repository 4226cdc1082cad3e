package io.github.flinkps.server.store;

import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import java.nio.FloatBuffer;

/**
 * One partition of one table. Confined to its owner thread, which is the first to touch it, until
 * {@link #handOver}; the figures {@link #rows}, {@link #bytes} and {@link #step} may be read by
 * others, who then see some recent value.
 *
 * <p>Sparse tables are addressed by hashes ({@link io.github.flinkps.common.KeyHash#hash}) in
 * ascending unsigned order, dense ones by keys in ascending order; both unique. A list of keys is
 * resolved to row numbers once; the numbers stay valid until {@link #generation} changes, however
 * much the partition grows.
 */
public abstract sealed class Partition permits SparsePartition, DensePartition {
    /** Rows that a partition of a sparse table can hold: row numbers have 24 bits. */
    public static final int MAX_SPARSE_ROWS = HashIndex.MAX_ROWS;

    /** The number of no cut. */
    public static final long NO_CUT = -1;

    /** The bytes that an empty partition takes at least, with its log. */
    private static final long EMPTY_BYTES = 1536;

    final TableSpec spec;
    final int index;
    final int width;

    /**
     * The rows that are read and written at a time: those that fit the planes of {@link Scratch}.
     */
    final int block;

    final UpdateFunction function;
    final int slotCount;
    final boolean catchesUp;
    final RowInitializer initializer;

    /** The step at which each row was last written; of functions that catch up alone. */
    final RowSteps lastSteps = new RowSteps();

    private long step;
    private int generation;
    private final Confinement confinement = new Confinement();

    /**
     * The rows that change; null until the first freeze, so that training without cuts pays nothing
     * for them.
     */
    private ChangedRows changes;

    private FrozenRows frozen;

    Partition(TableSpec spec, int index, UpdateFunction function) {
        if (index < 0 || index >= spec.partitions()) {
            throw new IllegalArgumentException(
                    "no partition " + index + " of table '" + spec.name() + "'");
        }
        this.spec = spec;
        this.index = index;
        this.width = spec.width();
        this.block = Math.max(1, Math.min(Scratch.KEYS, Scratch.FLOATS / width));
        this.function = function;
        this.slotCount = function.slots();
        if (slotCount < 0 || slotCount > Scratch.MAX_SLOTS) {
            throw new IllegalArgumentException(
                    "update function '"
                            + spec.update().name()
                            + "' wants "
                            + slotCount
                            + " slots; 0 to 8 are allowed");
        }
        this.catchesUp = function.catchesUp();
        this.initializer = RowInitializer.of(spec);
    }

    /** Returns an empty partition. The function must serve this partition only. */
    public static Partition create(TableSpec spec, int partition, UpdateFunction function) {
        return create(spec, partition, function, MAX_SPARSE_ROWS);
    }

    /**
     * Creates a partition that, if it is sparse, holds no more than so many rows.
     *
     * @param maxRows at most {@link #MAX_SPARSE_ROWS}
     */
    public static Partition create(
            TableSpec spec, int partition, UpdateFunction function, int maxRows) {
        return spec.isSparse()
                ? new SparsePartition(spec, partition, function, maxRows)
                : new DensePartition(spec, partition, function);
    }

    /**
     * Estimates the bytes that all partitions of a table take before any row has been trained: most
     * in dense tables, whose pages are found by an index as long as the table.
     */
    public static long emptyBytes(TableSpec spec, UpdateFunction function) {
        long rows = spec.isSparse() ? 0 : DensePartition.indexBytes(spec, function);
        return rows + spec.partitions() * EMPTY_BYTES;
    }

    public final TableSpec spec() {
        return spec;
    }

    /** Returns the partition's number in its table. */
    public final int index() {
        return index;
    }

    /** Returns the number of slots beside each value. */
    public final int slotCount() {
        return slotCount;
    }

    /** Returns the number of rows: those born (sparse) or all (dense). */
    public abstract long rows();

    /** Returns the resident bytes of pages, index, and what cuts keep. */
    public abstract long bytes();

    /** Returns the optimizer steps counted here. */
    public final long step() {
        return step;
    }

    /** Counts steps, whether or not they touched rows here. */
    public final void advance(long steps) {
        assert confined();
        if (steps < 0) {
            throw new IllegalArgumentException("steps must be at least 0, not " + steps);
        }
        step += steps;
    }

    /** Returns a number that is raised when row numbers become invalid. */
    public final int generation() {
        return generation;
    }

    final void raiseGeneration() {
        generation++;
    }

    /**
     * Lets the next thread that touches the partition become its owner; the caller provides the
     * happens-before edge.
     */
    public final void handOver() {
        assert confined();
        confinement.handOver();
    }

    /**
     * Returns whether the current thread owns the partition; the first to ask becomes its owner.
     */
    final boolean confined() {
        return confinement.isOwnThread();
    }

    /**
     * Finds row numbers: {@code rows[i]} of {@code keysOrHashes[i]}, or -1 for a row that was never
     * trained. Creates nothing. Ascending order is what makes it fast; any order is right.
     *
     * @throws io.github.flinkps.common.PsException KEY_OUT_OF_RANGE for a key outside a dense
     *     partition
     */
    public abstract void resolve(long[] keysOrHashes, int from, int to, int[] rows);

    /**
     * Gives a row number to every entry of {@code [from, to)} that is -1: these rows are born.
     * Entries that are not -1 must come from {@link #resolve} of the same list and generation.
     * Gives birth to none where there is no memory for all of them.
     *
     * @throws io.github.flinkps.common.PsException before any change: TABLE_FULL if the partition
     *     cannot take the rows, KEY_OUT_OF_RANGE or INVALID_ARGUMENT for hashes that are not of
     *     this partition or not ascending
     */
    public final void create(long[] keysOrHashes, int from, int to, int[] rows) {
        create(keysOrHashes, from, to, rows, step);
    }

    /**
     * Gives birth to rows that are trained later. Those of functions that catch up are as new until
     * then.
     *
     * @param stepsBefore the steps that come before the one that trains them, at least {@link
     *     #step}
     */
    public abstract void create(
            long[] keysOrHashes, int from, int to, int[] rows, long stepsBefore);

    /**
     * Writes the values of rows, row-major, to {@code out} (native order) at its position, which
     * advances. A row -1 gives the initializer's values and stores nothing; rows behind on
     * regularisation are shown caught up.
     */
    public abstract void gather(long[] keysOrHashes, int[] rows, int from, int to, FloatBuffer out);

    /**
     * Takes one step with a row of gradients per row; the rows must be unique and at least 0. The
     * gradients of {@code from} stand at the position of {@code gradients} (native order), which
     * advances.
     */
    public final void apply(int[] rows, int from, int to, FloatBuffer gradients, StepContext step) {
        assert confined();
        Scratch scratch = Scratch.ofThread();
        for (int b = from; b < to; b += block) {
            int end = Math.min(to, b + block);
            gradients.get(scratch.gradients, 0, (end - b) * width);
            writeBlock(rows, b, end, scratch, step);
        }
    }

    /** Applies gradients to rows; those of {@code from} begin at {@code offset}. */
    public final void apply(
            int[] rows, int from, int to, float[] gradients, int offset, StepContext step) {
        assert confined();
        Scratch scratch = Scratch.ofThread();
        int at = offset;
        for (int b = from; b < to; b += block) {
            int end = Math.min(to, b + block);
            int length = (end - b) * width;
            System.arraycopy(gradients, at, scratch.gradients, 0, length);
            writeBlock(rows, b, end, scratch, step);
            at += length;
        }
    }

    /**
     * Takes one step with the gradients in {@code scratch}, one row of them per row.
     *
     * @param to at most {@link #block} rows after {@code from}
     */
    abstract void writeBlock(int[] rows, int from, int to, Scratch scratch, StepContext step);

    /**
     * Copies whole rows, in row order from a cursor, for export: caught up, the initializer's where
     * a dense row was never trained.
     *
     * @param cursorRow 0 at first, then the sum of what was returned
     * @param keys receives keys (not hashes)
     * @param values receives {@code width} values per row
     * @param slotsOrNull per slot as {@code values}
     * @return rows written, at most {@code maxRows}; 0 at the end
     */
    public final int export(
            long cursorRow, int maxRows, long[] keys, float[] values, float[][] slotsOrNull) {
        assert confined();
        checkExport(maxRows, keys, values, slotsOrNull);
        int count = (int) Math.max(0, Math.min(maxRows, rowEnd() - cursorRow));
        for (int i = 0; i < count; i++) {
            int row = (int) cursorRow + i;
            int at = i * width;
            keys[i] = keyOf(row);
            readRow(row, values, at);
            int elapsed = catchesUp ? lastSteps.elapsed(row, step()) : 0;
            if (elapsed > 0) {
                function.catchUp(values, at, at + width, elapsed);
            }
            if (slotsOrNull != null) {
                readSlots(row, values, slotsOrNull, at);
            }
        }
        return count;
    }

    /** Returns the end of the rows that are exported, which begin at 0. */
    abstract int rowEnd();

    abstract long keyOf(int row);

    /** Copies the values of a row as they are; the initializer's where it was never trained. */
    abstract void readRow(int row, float[] out, int at);

    /**
     * Copies the slots of a row.
     *
     * @param values those of the row, from {@code at} on, by which slots are found that it has not
     */
    abstract void readSlots(int row, float[] values, float[][] into, int at);

    /**
     * Stores rows as they are, in any order, in place of what was there.
     *
     * @param slotsOrNull per slot as {@code values}, or null for those the function gives values
     *     without any
     * @throws io.github.flinkps.common.PsException before any change, as {@link #create} and for
     *     keys of other partitions
     */
    public abstract void load(long[] keys, float[] values, float[][] slotsOrNull, int rows);

    /** Returns the slots given, or those of values that come without any. */
    final float[][] slotsFor(float[] values, float[][] slotsOrNull, int rows) {
        if (slotsOrNull != null) {
            return slotsOrNull;
        }
        float[][] derived = new float[slotCount][rows * width];
        function.slotsOf(values, derived, 0, rows * width);
        return derived;
    }

    /**
     * Stores rows as an image handed them out, last steps too, in place of what was there; rows not
     * known yet are born in the order given. Over an empty partition all images of a chain, a full
     * one first, and {@link #advance} by the last one's step give the partition that was frozen,
     * bit for bit.
     *
     * @throws io.github.flinkps.common.PsException before any change, as {@link #load} does
     */
    public abstract void restore(RowImage rows, int count);

    /** Returns room for so many rows of this partition. */
    public final RowImage image(int maxRows) {
        return new RowImage(maxRows, width, slotCount, catchesUp);
    }

    /** Returns the bytes of a row in a {@link RowImage}. */
    public final int imageBytesPerRow() {
        return 8 + 4 * width * (1 + slotCount) + (catchesUp ? 4 : 0);
    }

    /**
     * Freezes the rows as they are, without copying any. From the first freeze on the partition
     * keeps track of changed rows.
     *
     * @param cut its number: greater than those before it since {@link #clear}
     * @param full whether the image has all rows, or those changed since the last cut that was
     *     {@link #completed}; all rows too where there is none
     * @param memory for rows that must be saved from being overwritten
     * @throws IllegalStateException while another image is open
     */
    public final FrozenRows freeze(long cut, boolean full, SavedBlocks memory) {
        assert confined();
        if (frozen != null) {
            throw new IllegalStateException(
                    "partition "
                            + index
                            + " of table '"
                            + spec.name()
                            + "' cannot be frozen for cut "
                            + cut
                            + " while another image is open");
        }
        if (cut < 0) {
            throw new IllegalArgumentException("cuts count from 0, not " + cut);
        }
        int limit = Math.toIntExact(rows());
        if (changes == null) {
            changes = new ChangedRows(limit);
        }
        changes.close(cut, limit);
        boolean all = full || !changes.hasBase();
        frozen =
                freezeRows(
                        new FrozenRows.Extent(
                                all ? null : changes.sinceBase(), changes.base(), memory));
        return frozen;
    }

    abstract FrozenRows freezeRows(FrozenRows.Extent extent);

    /**
     * Says that a cut is durable and complete: later increments are relative to it. Without effect
     * for a cut that was not frozen here since {@link #clear}, or is older than the last completed.
     */
    public final void completed(long cut) {
        assert confined();
        if (changes != null) {
            changes.completed(cut);
        }
    }

    final void thawed() {
        frozen = null;
        if (changes != null) {
            changes.merge();
        }
    }

    /** Returns the open image, or null. */
    final FrozenRows frozen() {
        return frozen;
    }

    /** Returns the rows written since the last freeze; null if there was none. */
    final RowBits written() {
        return changes == null ? null : changes.current();
    }

    /** Saves what a cut still needs. Call it before existing rows change. */
    final void beforeWrite(int[] rows, int from, int to) {
        if (changes != null) {
            if (frozen == null) {
                changes.current().set(rows, from, to);
            } else {
                frozen.beforeWrite(changes.current(), rows, from, to);
            }
        }
    }

    /** Returns the memory of changed and saved rows in bytes. */
    final long cutBytes() {
        ChangedRows changed = changes;
        FrozenRows image = frozen;
        return (changed == null ? 0 : changed.bytes()) + (image == null ? 0 : image.savedBytes());
    }

    /**
     * Forgets all rows, steps and completed cuts, closes an open image, and raises the generation.
     */
    public void clear() {
        assert confined();
        if (frozen != null) {
            frozen.close();
        }
        changes = null;
        step = 0;
        raiseGeneration();
    }

    /**
     * Catches up the rows {@code 0 .. count-1} of a block by the steps elapsed for each; those not
     * positive are up to date.
     */
    final void catchUp(float[] values, int[] elapsed, int count) {
        int i = 0;
        while (i < count) {
            int steps = elapsed[i];
            int end = i + 1;
            while (end < count && elapsed[end] == steps) {
                end++;
            }
            if (steps > 0) {
                function.catchUp(values, i * width, end * width, steps);
            }
            i = end;
        }
    }

    final void checkExport(int maxRows, long[] keys, float[] values, float[][] slotsOrNull) {
        boolean fits = keys.length >= maxRows && values.length >= (long) maxRows * width;
        if (slotsOrNull != null) {
            fits &= slotsOrNull.length == slotCount;
            for (float[] plane : slotsOrNull) {
                fits &= plane.length >= (long) maxRows * width;
            }
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "arrays too small for "
                            + maxRows
                            + " rows of width "
                            + width
                            + " and "
                            + slotCount
                            + " slots");
        }
    }
}
