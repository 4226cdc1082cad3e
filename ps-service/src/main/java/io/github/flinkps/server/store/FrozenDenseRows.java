package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * The frozen rows of a partition of a dense table, without pages that were absent when it was
 * frozen. Saves page by page, as ranges are written whole.
 */
final class FrozenDenseRows extends FrozenRows {
    /** Stands for a page that a cut does not need, or no longer needs. */
    private static final SavedPage NOTHING = new SavedPage(new SavedBlocks.Block[0], null);

    private final long firstKey;
    private final RowPages values;
    private final RowPages[] slots;
    private final RowSteps lastSteps;
    private final int shift;
    private final SavedBlocks memory;
    private final SavedPage[] saved;
    private int released;
    private long savedBytes;

    /** Planes of values and slots; steps where rows have any. */
    private static final class SavedPage {
        final SavedBlocks.Block[] planes;
        final int[] steps;

        SavedPage(SavedBlocks.Block[] planes, int[] steps) {
            this.planes = planes;
            this.steps = steps;
        }
    }

    FrozenDenseRows(
            DensePartition partition,
            RowPages values,
            RowPages[] slots,
            RowSteps lastSteps,
            long presentRows,
            Extent extent) {
        super(partition, Math.toIntExact(partition.rows()), presentRows, extent);
        this.firstKey = partition.firstKey();
        this.values = values;
        this.slots = slots;
        this.lastSteps = lastSteps;
        this.shift = values.shift();
        this.memory = extent.memory();
        this.saved = new SavedPage[(limit >>> shift) + 1];
    }

    private int endOfPage(int page) {
        return (int) Math.min(limit, (page + 1L) << shift);
    }

    @Override
    int selectAll(int[] rows) {
        int count = 0;
        while (cursor < limit && count < rows.length) {
            int page = cursor >>> shift;
            int end = endOfPage(page);
            if (values.pageAt(page) == null || saved[page] == NOTHING) {
                cursor = end;
                continue;
            }
            for (; cursor < end && count < rows.length; cursor++) {
                rows[count++] = cursor;
            }
        }
        return count;
    }

    @Override
    void copy(int[] rows, int count, RowImage into) {
        int end;
        for (int i = 0; i < count; i = end) {
            int page = rows[i] >>> shift;
            end = i + 1;
            while (end < count && rows[end] == rows[end - 1] + 1 && rows[end] >>> shift == page) {
                end++;
            }
            copyRun(page, rows[i], i, end - i, into);
        }
    }

    /** Copies rows that follow one another in a page. */
    private void copyRun(int page, int row, int at, int count, RowImage into) {
        SavedPage instead = saved[page];
        int width = partition.width;
        int from = values.offset(row);
        for (int i = 0; i < count; i++) {
            into.keys()[at + i] = firstKey + row + i;
        }
        for (int k = 0; k <= partition.slotCount; k++) {
            float[] to = k == 0 ? into.values() : into.slots()[k - 1];
            if (instead == null) {
                System.arraycopy(plane(k).pageAt(page), from, to, at * width, count * width);
            } else {
                SavedBlocks.Block block = instead.planes[k];
                System.arraycopy(block.slab, block.from + from, to, at * width, count * width);
            }
        }
        if (partition.catchesUp && instead == null) {
            lastSteps.read(row, row + count, into.stepsOrNull(), at);
        } else if (partition.catchesUp) {
            System.arraycopy(instead.steps, row - (page << shift), into.stepsOrNull(), at, count);
        }
    }

    /** Returns the values, or a slot. */
    private RowPages plane(int number) {
        return number == 0 ? values : slots[number - 1];
    }

    /** Says that a page, absent until now, is made: it is not of this image. */
    void made(int page) {
        saved[page] = NOTHING;
    }

    @Override
    void beforeWrite(RowBits written, int[] rows, int from, int to) {
        written.set(rows, from, to);
        for (int i = from; i < to; i++) {
            if (saved[rows[i] >>> shift] == null) {
                save(rows[i] >>> shift);
            }
        }
    }

    /** Saves what the cut still needs of the rows {@code [from, to)}, before they change. */
    void beforeWrite(RowBits written, int from, int to) {
        written.setRange(from, to);
        for (int page = from >>> shift; page <= to - 1 >>> shift; page++) {
            if (saved[page] == null) {
                save(page);
            }
        }
    }

    private void save(int page) {
        int first = page << shift;
        int end = endOfPage(page);
        if (end <= cursor || !containsAny(first, end)) {
            saved[page] = NOTHING;
            return;
        }
        SavedBlocks.Block[] planes = new SavedBlocks.Block[1 + slots.length];
        int[] steps = partition.catchesUp ? new int[end - first] : null;
        SavedPage image = new SavedPage(planes, steps);
        take(page, planes);
        for (int k = 0; k < planes.length; k++) {
            float[] live = plane(k).pageAt(page);
            System.arraycopy(live, 0, planes[k].slab, planes[k].from, live.length);
        }
        if (partition.catchesUp) {
            lastSteps.read(first, end, steps, 0);
        }
        saved[page] = image;
        savedBytes += bytes(page);
        memory.count(bytes(page));
    }

    /** Takes a block for each plane, or none. */
    private void take(int page, SavedBlocks.Block[] planes) {
        int taken = 0;
        try {
            for (; taken < planes.length; taken++) {
                planes[taken] = memory.take(plane(taken).pageAt(page).length);
            }
        } catch (RuntimeException | Error e) {
            for (int k = 0; k < taken; k++) {
                memory.give(plane(k).pageAt(page).length, planes[k]);
            }
            throw e;
        }
    }

    private long bytes(int page) {
        long bytes = saved[page].steps == null ? 0 : 4L * saved[page].steps.length;
        for (int k = 0; k < saved[page].planes.length; k++) {
            bytes += 4L * plane(k).pageAt(page).length;
        }
        return bytes;
    }

    @Override
    void release() {
        int end = cursor == limit ? saved.length : cursor >>> shift;
        for (; released < end; released++) {
            drop(released);
        }
    }

    private void drop(int page) {
        if (saved[page] != null) {
            SavedBlocks.Block[] planes = saved[page].planes;
            savedBytes -= bytes(page);
            memory.count(-bytes(page));
            saved[page] = NOTHING;
            for (int k = 0; k < planes.length; k++) {
                memory.give(plane(k).pageAt(page).length, planes[k]);
            }
        }
    }

    @Override
    public long savedBytes() {
        return savedBytes;
    }

    @Override
    void forget() {
        for (int page = 0; page < saved.length; page++) {
            drop(page);
        }
        Arrays.fill(saved, NOTHING);
    }
}
