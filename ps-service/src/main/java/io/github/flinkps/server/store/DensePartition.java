package io.github.flinkps.server.store;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A partition of a dense table: a contiguous block of keys; row number = key - {@link #firstKey}.
 * Values and slots lie in planes of pages that share their index, so that update functions run
 * straight over them. A page is made when training first writes to it; until then its rows are the
 * initializer's. Every change goes through {@link #materialize}, {@link #writeBlock}, {@link
 * #applyPiece} or {@link #storeRow}.
 */
public final class DensePartition extends Partition {
    /**
     * Floats of a range handed to the update function at once: they and their gradients stay in the
     * first cache.
     */
    private static final int PIECE = 2048;

    private final long firstKey;
    private final int rowCount;
    private final int shift;
    private final RowPages values;
    private final RowPages[] slots;
    private float[][][] slotsOfPage;
    private int absentPages;
    private int presentRows;

    DensePartition(TableSpec spec, int index, UpdateFunction function) {
        super(spec, index, function);
        this.firstKey = spec.firstKey(index);
        this.rowCount = Math.toIntExact(spec.firstKey(index + 1) - firstKey);
        this.values = new RowPages(width, 0);
        this.shift = values.shift();
        this.slots = new RowPages[slotCount];
        for (int k = 0; k < slotCount; k++) {
            slots[k] = new RowPages(width, 0);
        }
        reserve();
    }

    /** Returns the bytes of what {@link #reserve} makes, over all partitions. */
    static long indexBytes(TableSpec spec, UpdateFunction function) {
        long pages = spec.size() >>> RowPages.shift(spec.width());
        long bytesOfPage = Long.BYTES * (3L + 2L * function.slots());
        return pages * bytesOfPage + (function.catchesUp() ? Integer.BYTES * spec.size() : 0);
    }

    private void reserve() {
        values.reserve(rowCount);
        for (RowPages plane : slots) {
            plane.reserve(rowCount);
        }
        absentPages = (rowCount + (1 << shift) - 1) >>> shift;
        presentRows = 0;
        slotsOfPage = new float[absentPages][slotCount][];
        if (catchesUp) {
            lastSteps.grow(0, rowCount, 0);
        }
    }

    /** Returns the key of row 0. */
    public long firstKey() {
        return firstKey;
    }

    @Override
    public long rows() {
        return rowCount;
    }

    @Override
    public long bytes() {
        long bytes = values.bytes() + lastSteps.bytes() + cutBytes();
        for (RowPages plane : slots) {
            bytes += plane.bytes();
        }
        return bytes;
    }

    /** Finds row numbers: every row of the partition has one, trained or not. */
    @Override
    public void resolve(long[] keys, int from, int to, int[] rows) {
        assert confined();
        for (int i = from; i < to; i++) {
            rows[i] = rowOf(keys[i]);
        }
    }

    private int rowOf(long key) {
        long row = key - firstKey;
        if (row < 0 || row >= rowCount) {
            throw new PsException(
                    ErrorCode.KEY_OUT_OF_RANGE,
                    "key "
                            + key
                            + " is not of partition "
                            + index
                            + " of table '"
                            + spec.name()
                            + "', which has keys from "
                            + firstKey
                            + " to "
                            + (firstKey + rowCount - 1));
        }
        return (int) row;
    }

    @Override
    public void create(long[] keys, int from, int to, int[] rows, long stepsBefore) {
        assert confined();
        for (int i = from; i < to; i++) {
            if (rows[i] < 0) {
                rows[i] = rowOf(keys[i]);
            }
        }
    }

    private float[] page(int number) {
        float[] page = values.pageAt(number);
        return page != null ? page : materialize(number);
    }

    private float[] materialize(int number) {
        for (int k = 0; k < slotCount; k++) {
            slotsOfPage[number][k] = slots[k].materialize(number);
        }
        float[] page = values.materialize(number); // last: a page that is there has its slots
        absentPages--;
        presentRows += page.length / width;
        if (frozen() != null) {
            frozenPages().made(number);
        }
        if (!initializer.isZero()) {
            int first = number << shift;
            for (int row = 0; row * width < page.length; row++) {
                initializer.fill(firstKey + first + row, page, row * width, width);
            }
        }
        if (slotCount > 0) {
            function.slotsOf(page, slotsOfPage[number], 0, page.length);
        }
        return page;
    }

    @Override
    public void gather(long[] keys, int[] rows, int from, int to, FloatBuffer out) {
        assert confined();
        Scratch scratch = Scratch.ofThread();
        for (int b = from; b < to; b += block) {
            int end = Math.min(to, b + block);
            if (absentPages == 0) {
                values.read(rows, b, end, 0, scratch.values);
            } else {
                readPossiblyAbsent(rows, b, end, scratch.values);
            }
            if (catchesUp) {
                for (int i = b; i < end; i++) {
                    scratch.places[i - b] = lastSteps.elapsed(rows[i], step());
                }
                catchUp(scratch.values, scratch.places, end - b);
            }
            out.put(scratch.values, 0, (end - b) * width);
        }
    }

    private void readPossiblyAbsent(int[] rows, int from, int to, float[] out) {
        for (int i = from; i < to; i++) {
            readRow(rows[i], out, (i - from) * width);
        }
    }

    @Override
    void readRow(int row, float[] out, int at) {
        float[] page = values.page(row);
        if (page == null) {
            initializer.fill(firstKey + row, out, at, width);
        } else {
            System.arraycopy(page, values.offset(row), out, at, width);
        }
    }

    @Override
    void writeBlock(int[] rows, int from, int to, Scratch scratch, StepContext step) {
        if (absentPages > 0) {
            for (int i = from; i < to; i++) {
                page(rows[i] >>> shift);
            }
        }
        beforeWrite(rows, from, to);
        float[][] planes = scratch.slots(slotCount);
        values.read(rows, from, to, 0, scratch.values);
        for (int k = 0; k < slotCount; k++) {
            slots[k].read(rows, from, to, 0, planes[k]);
        }
        if (catchesUp) {
            for (int i = from; i < to; i++) {
                scratch.places[i - from] = lastSteps.elapsed(rows[i], step.step() - 1);
                lastSteps.set(rows[i], step.step());
            }
            catchUp(scratch.values, scratch.places, to - from);
        }
        function.apply(scratch.values, planes, scratch.gradients, 0, (to - from) * width, step);
        values.write(rows, from, to, 0, scratch.values);
        for (int k = 0; k < slotCount; k++) {
            slots[k].write(rows, from, to, 0, planes[k]);
        }
    }

    /**
     * Writes the values of the rows {@code [fromRow, toRow)} to {@code out} at its position, which
     * advances.
     */
    public void readRange(int fromRow, int toRow, FloatBuffer out) {
        assert confined();
        checkRange(fromRow, toRow);
        for (int row = fromRow; row < toRow; ) {
            int end = Math.min(toRow, ((row >>> shift) + 1) << shift);
            float[] page = values.page(row);
            if (page != null && !catchesUp) {
                out.put(page, values.offset(row), (end - row) * width);
            } else {
                end = Math.min(end, row + block);
                readBehind(row, end, out);
            }
            row = end;
        }
    }

    /** Reads rows of one page, which may be absent or behind. */
    private void readBehind(int from, int to, FloatBuffer out) {
        float[] read = Scratch.ofThread().values;
        float[] page = values.page(from);
        if (page != null) {
            System.arraycopy(page, values.offset(from), read, 0, (to - from) * width);
        } else if (initializer.isZero()) {
            Arrays.fill(read, 0, (to - from) * width, 0);
        } else {
            for (int row = from; row < to; row++) {
                initializer.fill(firstKey + row, read, (row - from) * width, width);
            }
        }
        if (catchesUp) {
            catchUpRange(from, to, read, 0, step());
        }
        out.put(read, 0, (to - from) * width);
    }

    /** Catches up the rows {@code [from, to)}, which stand at {@code at}, to {@code step}. */
    private void catchUpRange(int from, int to, float[] rows, int at, long step) {
        boolean alike = lastSteps.alike(from, to);
        int end;
        for (int row = from; row < to; row = end) {
            end = alike ? to : lastSteps.runEnd(row, to);
            int elapsed = lastSteps.elapsed(row, step);
            if (elapsed > 0) {
                int start = at + (row - from) * width;
                function.catchUp(rows, start, start + (end - row) * width, elapsed);
            }
        }
    }

    /**
     * Takes one step with a row of gradients for each row of {@code [fromRow, toRow)}; they stand
     * at the position of {@code gradients} (native order), which advances.
     */
    public void applyRange(int fromRow, int toRow, FloatBuffer gradients, StepContext step) {
        assert confined();
        checkRange(fromRow, toRow);
        float[] aligned = Scratch.ofThread().pageGradients();
        for (int row = fromRow; row < toRow; ) {
            int end = pieceEnd(row, toRow);
            int at = values.offset(row);
            gradients.get(aligned, at, (end - row) * width);
            applyPiece(row, end, aligned, at, step);
            row = end;
        }
    }

    /** Applies gradients to a range of rows; those of {@code fromRow} begin at {@code offset}. */
    public void applyRange(
            int fromRow, int toRow, float[] gradients, int offset, StepContext step) {
        assert confined();
        checkRange(fromRow, toRow);
        float[] aligned = Scratch.ofThread().pageGradients();
        int next = offset;
        for (int row = fromRow; row < toRow; ) {
            int end = pieceEnd(row, toRow);
            int at = values.offset(row);
            int length = (end - row) * width;
            System.arraycopy(gradients, next, aligned, at, length);
            applyPiece(row, end, aligned, at, step);
            next += length;
            row = end;
        }
    }

    private int pieceEnd(int row, int toRow) {
        int piece = Math.max(1, PIECE / width);
        return Math.min(Math.min(toRow, ((row >>> shift) + 1) << shift), row + piece);
    }

    private void applyPiece(int row, int end, float[] aligned, int at, StepContext step) {
        int number = row >>> shift;
        float[] page = page(number);
        beforeWrite(row, end);
        if (catchesUp) {
            catchUpRange(row, end, page, at, step.step() - 1);
            lastSteps.fill(row, end, step.step());
        }
        function.apply(page, slotsOfPage[number], aligned, at, at + (end - row) * width, step);
    }

    private void checkRange(int fromRow, int toRow) {
        if (fromRow < 0 || toRow < fromRow || toRow > rowCount) {
            throw new PsException(
                    ErrorCode.KEY_OUT_OF_RANGE,
                    "rows "
                            + fromRow
                            + " to "
                            + toRow
                            + " are not of partition "
                            + index
                            + " of table '"
                            + spec.name()
                            + "', which has "
                            + rowCount);
        }
    }

    @Override
    int rowEnd() {
        return rowCount;
    }

    @Override
    long keyOf(int row) {
        return firstKey + row;
    }

    @Override
    void readSlots(int row, float[] rowValues, float[][] into, int at) {
        if (slotCount > 0 && slots[0].page(row) == null) {
            function.slotsOf(rowValues, into, at, at + width);
            return;
        }
        for (int k = 0; k < slotCount; k++) {
            System.arraycopy(slots[k].page(row), slots[k].offset(row), into[k], at, width);
        }
    }

    @Override
    public void load(long[] keys, float[] from, float[][] slotsOrNull, int count) {
        assert confined();
        checkExport(count, keys, from, slotsOrNull);
        for (int i = 0; i < count; i++) {
            rowOf(keys[i]);
        }
        float[][] slotsIn = slotsFor(from, slotsOrNull, count);
        for (int i = 0; i < count; i++) {
            storeRow(rowOf(keys[i]), i, from, slotsIn);
        }
    }

    private void storeRow(int row, int from, float[] in, float[][] slotsIn) {
        float[] page = page(row >>> shift);
        beforeWrite(row, row + 1);
        int at = values.offset(row);
        System.arraycopy(in, from * width, page, at, width);
        for (int k = 0; k < slotCount; k++) {
            System.arraycopy(slotsIn[k], from * width, slots[k].page(row), at, width);
        }
        if (catchesUp) {
            lastSteps.set(row, step());
        }
    }

    @Override
    public void restore(RowImage image, int count) {
        assert confined();
        image.check(this, count);
        long[] keys = image.keys();
        for (int i = 0; i < count; i++) {
            rowOf(keys[i]);
        }
        int end;
        for (int i = 0; i < count; i = end) {
            int row = rowOf(keys[i]);
            int most = Math.min(count, i + (((row >>> shift) + 1) << shift) - row);
            end = i + 1;
            while (end < most && keys[end] == keys[i] + end - i) {
                end++;
            }
            restoreRun(row, image, i, end - i);
        }
    }

    /** Stores rows that follow one another in a page. */
    private void restoreRun(int row, RowImage image, int at, int count) {
        float[] page = page(row >>> shift);
        beforeWrite(row, row + count);
        int to = values.offset(row);
        System.arraycopy(image.values(), at * width, page, to, count * width);
        for (int k = 0; k < slotCount; k++) {
            float[] plane = slots[k].page(row);
            System.arraycopy(image.slots()[k], at * width, plane, to, count * width);
        }
        if (catchesUp) {
            lastSteps.write(row, row + count, image.stepsOrNull(), at);
        }
    }

    @Override
    FrozenRows freezeRows(FrozenRows.Extent extent) {
        return new FrozenDenseRows(this, values, slots, lastSteps, presentRows, extent);
    }

    private FrozenDenseRows frozenPages() {
        return (FrozenDenseRows) frozen();
    }

    /**
     * Saves what a cut still needs. Call it before the rows {@code [from, to)} of existing pages
     * change.
     */
    private void beforeWrite(int from, int to) {
        RowBits written = written();
        if (written != null) {
            if (frozen() == null) {
                written.setRange(from, to);
            } else {
                frozenPages().beforeWrite(written, from, to);
            }
        }
    }

    @Override
    public void clear() {
        super.clear();
        lastSteps.clear();
        reserve();
    }
}
