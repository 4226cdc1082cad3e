package io.github.flinkps.server.store;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A partition of a sparse table: rows in order of birth, each a value and its slots side by side
 * (one cache miss a row), found through a {@link HashIndex}. Every change of a row goes through
 * {@link #births}, {@link #writeBlock} or {@link #storeRow}.
 */
final class SparsePartition extends Partition {
    private final KeyHash keyHash;
    private final int partitionBits;
    private final int maxRows;
    private final LongChunks hashes = new LongChunks();
    private final HashIndex rowOf;
    private final RowPages pages;

    SparsePartition(TableSpec spec, int index, UpdateFunction function, int maxRows) {
        super(spec, index, function);
        this.keyHash = KeyHash.of(spec.keyBits());
        this.partitionBits = spec.partitionBits();
        this.maxRows = maxRows;
        this.rowOf = new HashIndex(partitionBits, spec.keyBits(), hashes);
        this.pages = new RowPages(width, slotCount);
    }

    @Override
    public long rows() {
        return hashes.size();
    }

    @Override
    public long bytes() {
        return pages.bytes() + hashes.bytes() + rowOf.bytes() + lastSteps.bytes() + cutBytes();
    }

    @Override
    public void resolve(long[] sorted, int from, int to, int[] rows) {
        assert confined();
        rowOf.find(sorted, from, to, rows, Scratch.ofThread());
    }

    @Override
    public void create(long[] sorted, int from, int to, int[] rows, long stepsBefore) {
        assert confined();
        int missing = checkBirths(sorted, from, to, rows);
        if (missing > 0) {
            float[] value = new float[width];
            float[][] slots = slotsFor(value, null, 1);
            int first = births(sorted, from, to, rows, missing, stepsBefore);
            initialize(first, first + missing, value, slots);
        }
    }

    private int checkBirths(long[] sorted, int from, int to, int[] rows) {
        int missing = 0;
        long outside = keyHash.bits() == 64 ? 0 : -1L >>> keyHash.bits();
        for (int i = from; i < to; i++) {
            if (rows[i] >= 0) {
                continue;
            }
            missing++;
            long hash = sorted[i];
            if (spec.partitionOfHash(hash) != index || (hash & outside) != 0) {
                throw new PsException(
                        ErrorCode.KEY_OUT_OF_RANGE,
                        "a hash is not of partition " + index + " of table '" + spec.name() + "'");
            }
            if (i > from && Long.compareUnsigned(sorted[i - 1], hash) >= 0) {
                throw new PsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "the hashes for table '" + spec.name() + "' are not ascending and unique");
            }
        }
        if (missing > maxRows - hashes.size()) {
            throw new PsException(
                    ErrorCode.TABLE_FULL,
                    "table '"
                            + spec.name()
                            + "': partition "
                            + index
                            + " holds "
                            + hashes.size()
                            + " rows and cannot take "
                            + missing
                            + " more (limit "
                            + maxRows
                            + "); create the table with more partitions than "
                            + spec.partitions());
        }
        return missing;
    }

    /** Adds rows of zeros; returns the first. All of them or, where memory runs out, none. */
    private int births(
            long[] unknown, int from, int to, int[] rows, int missing, long stepsBefore) {
        int first = hashes.size();
        int end = first + missing;
        pages.growTo(end);
        hashes.growTo(end);
        if (catchesUp) {
            lastSteps.grow(first, end, stepsBefore);
        }
        RowBits written = written();
        if (written != null) {
            written.grow(first, end);
        }
        for (int i = from; i < to; i++) {
            if (rows[i] < 0) {
                rows[i] = hashes.size();
                hashes.append(unknown[i]);
            }
        }
        try {
            rowOf.insert(first);
        } catch (RuntimeException | Error e) {
            rowOf.remove(first);
            hashes.truncate(first);
            for (int i = from; i < to; i++) {
                rows[i] = rows[i] < first ? rows[i] : -1;
            }
            throw e;
        }
        if (written != null) {
            written.setRange(first, end);
        }
        return first;
    }

    private void initialize(int first, int end, float[] value, float[][] slots) {
        if (!initializer.isZero()) {
            for (int row = first; row < end; row++) {
                initializer.fill(
                        keyHash.key(hashes.get(row)), pages.page(row), pages.offset(row), width);
            }
        }
        if (slotCount == 0) {
            return;
        }
        for (int row = first; row < end; row++) {
            float[] page = pages.page(row);
            int at = pages.offset(row);
            if (!initializer.isZero()) {
                System.arraycopy(page, at, value, 0, width);
                function.slotsOf(value, slots, 0, width);
            }
            for (int k = 0; k < slotCount; k++) {
                System.arraycopy(slots[k], 0, page, at + (1 + k) * width, width);
            }
        }
    }

    @Override
    public void gather(long[] sorted, int[] rows, int from, int to, FloatBuffer out) {
        assert confined();
        Scratch scratch = Scratch.ofThread();
        for (int b = from; b < to; b += block) {
            int end = Math.min(to, b + block);
            readBlock(sorted, rows, b, end, scratch);
            out.put(scratch.values, 0, (end - b) * width);
        }
    }

    private void readBlock(long[] sorted, int[] rows, int from, int to, Scratch scratch) {
        int any = 0;
        for (int i = from; i < to; i++) {
            any |= rows[i];
        }
        if (any >= 0) {
            readTrained(rows, from, to, scratch);
            return;
        }
        int[] known = scratch.candidates;
        for (int i = from; i < to; i++) {
            known[i - from] = Math.max(0, rows[i]);
        }
        if (hashes.size() > 0) {
            readTrained(known, 0, to - from, scratch);
        }
        for (int i = from; i < to; i++) {
            if (rows[i] < 0) {
                initializer.fill(keyHash.key(sorted[i]), scratch.values, (i - from) * width, width);
            }
        }
    }

    private void readTrained(int[] rows, int from, int to, Scratch scratch) {
        pages.read(rows, from, to, 0, scratch.values);
        if (catchesUp) {
            int[] elapsed = scratch.places;
            for (int i = from; i < to; i++) {
                elapsed[i - from] = lastSteps.elapsed(rows[i], step());
            }
            catchUp(scratch.values, elapsed, to - from);
        }
    }

    @Override
    void writeBlock(int[] rows, int from, int to, Scratch scratch, StepContext step) {
        beforeWrite(rows, from, to);
        float[][] slots = scratch.slots(slotCount);
        pages.read(rows, from, to, 0, scratch.values);
        for (int k = 0; k < slotCount; k++) {
            pages.read(rows, from, to, k + 1, slots[k]);
        }
        if (catchesUp) {
            int[] elapsed = scratch.places;
            for (int i = from; i < to; i++) {
                elapsed[i - from] = lastSteps.elapsed(rows[i], step.step() - 1);
                lastSteps.set(rows[i], step.step());
            }
            catchUp(scratch.values, elapsed, to - from);
        }
        function.apply(scratch.values, slots, scratch.gradients, 0, (to - from) * width, step);
        pages.write(rows, from, to, 0, scratch.values);
        for (int k = 0; k < slotCount; k++) {
            pages.write(rows, from, to, k + 1, slots[k]);
        }
    }

    @Override
    int rowEnd() {
        return hashes.size();
    }

    @Override
    long keyOf(int row) {
        return keyHash.key(hashes.get(row));
    }

    @Override
    void readRow(int row, float[] out, int at) {
        System.arraycopy(pages.page(row), pages.offset(row), out, at, width);
    }

    @Override
    void readSlots(int row, float[] rowValues, float[][] into, int at) {
        float[] page = pages.page(row);
        for (int k = 0; k < slotCount; k++) {
            System.arraycopy(page, pages.offset(row) + (1 + k) * width, into[k], at, width);
        }
    }

    @Override
    public void load(long[] keys, float[] values, float[][] slotsOrNull, int count) {
        assert confined();
        checkExport(count, keys, values, slotsOrNull);
        long[] asGiven = hashesOf(keys, count);
        int[] rows = new int[count];
        long[] sorted = sortedUnsigned(asGiven);
        resolve(sorted, 0, count, rows);
        create(sorted, 0, count, rows);
        resolve(asGiven, 0, count, rows);
        beforeWrite(rows, 0, count);
        float[][] slots = slotsFor(values, slotsOrNull, count);
        for (int i = 0; i < count; i++) {
            storeRow(rows[i], i, values, slots);
        }
    }

    private long[] hashesOf(long[] keys, int count) {
        long[] asGiven = new long[count];
        for (int i = 0; i < count; i++) {
            if (!keyHash.contains(keys[i])) {
                throw new PsException(
                        ErrorCode.KEY_OUT_OF_RANGE,
                        "key "
                                + keys[i]
                                + " is not of the key space of table '"
                                + spec.name()
                                + "'");
            }
            asGiven[i] = keyHash.hash(keys[i]);
        }
        return asGiven;
    }

    private static long[] sortedUnsigned(long[] hashes) {
        long[] sorted = hashes.clone();
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] ^= Long.MIN_VALUE;
        }
        return sorted;
    }

    private void storeRow(int row, int from, float[] values, float[][] slots) {
        float[] page = pages.page(row);
        int at = pages.offset(row);
        System.arraycopy(values, from * width, page, at, width);
        for (int k = 0; k < slotCount; k++) {
            System.arraycopy(slots[k], from * width, page, at + (1 + k) * width, width);
        }
        if (catchesUp) {
            lastSteps.set(row, step());
        }
    }

    @Override
    public void restore(RowImage image, int count) {
        assert confined();
        image.check(this, count);
        long[] given = hashesOf(image.keys(), count);
        int[] rows = new int[count];
        resolve(given, 0, count, rows);
        int missing = checkUnordered(given, rows);
        if (missing > 0) {
            births(given, 0, count, rows, missing, step());
        }
        beforeWrite(rows, 0, count);
        pages.write(rows, 0, count, 0, image.values());
        for (int k = 0; k < slotCount; k++) {
            pages.write(rows, 0, count, k + 1, image.slots()[k]);
        }
        if (catchesUp) {
            for (int i = 0; i < count; i++) {
                lastSteps.set(rows[i], image.stepsOrNull()[i]);
            }
        }
    }

    /** Checks births that are in another order than that of their hashes. */
    private int checkUnordered(long[] hashes, int[] rows) {
        long[] unknown = new long[hashes.length];
        int count = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (rows[i] < 0) {
                unknown[count++] = hashes[i];
            }
        }
        int[] none = new int[count];
        Arrays.fill(none, -1);
        return checkBirths(sortedUnsigned(Arrays.copyOf(unknown, count)), 0, count, none);
    }

    @Override
    FrozenRows freezeRows(FrozenRows.Extent extent) {
        return new FrozenSparseRows(this, keyHash, hashes, pages, lastSteps, extent);
    }

    @Override
    public void clear() {
        super.clear();
        hashes.clear();
        rowOf.clear();
        pages.clear();
        lastSteps.clear();
    }
}
