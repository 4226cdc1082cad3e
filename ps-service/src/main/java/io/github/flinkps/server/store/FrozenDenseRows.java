package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * Of a partition of a dense table, without pages that were absent when it was frozen; saves page by
 * page, as ranges are written whole.
 */
final class FrozenDenseRows extends FrozenRows {
    /** Of a page that is not or no longer of interest. */
    private static final SavedPage NOTHING = new SavedPage(new float[0][], null);

    private final long firstKey;
    private final RowPages values;
    private final RowPages[] slots;
    private final RowSteps lastSteps;
    private final int shift;
    private final SavedPage[] saved;
    private int released;
    private long savedBytes;

    /** Planes of values and slots; steps where rows have any. */
    private static final class SavedPage {
        final float[][] planes;
        final int[] steps;

        SavedPage(float[][] planes, int[] steps) {
            this.planes = planes;
            this.steps = steps;
        }

        long bytes() {
            long bytes = steps == null ? 0 : 4L * steps.length;
            for (float[] plane : planes) {
                bytes += 4L * plane.length;
            }
            return bytes;
        }
    }

    FrozenDenseRows(
            DensePartition partition,
            RowPages values,
            RowPages[] slots,
            RowSteps lastSteps,
            long presentRows,
            RowBits[] changedOrNull,
            long base) {
        super(partition, Math.toIntExact(partition.rows()), presentRows, changedOrNull, base);
        this.firstKey = partition.firstKey();
        this.values = values;
        this.slots = slots;
        this.lastSteps = lastSteps;
        this.shift = values.shift();
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
        float[] plane = instead == null ? values.pageAt(page) : instead.planes[0];
        System.arraycopy(plane, from, into.values(), at * width, count * width);
        for (int k = 0; k < partition.slotCount; k++) {
            plane = instead == null ? slots[k].pageAt(page) : instead.planes[1 + k];
            System.arraycopy(plane, from, into.slots()[k], at * width, count * width);
        }
        if (partition.catchesUp && instead == null) {
            lastSteps.read(row, row + count, into.stepsOrNull(), at);
        } else if (partition.catchesUp) {
            System.arraycopy(instead.steps, row - (page << shift), into.stepsOrNull(), at, count);
        }
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

    /** As above, of the rows {@code [from, to)}. */
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
        if (end <= cursor || !holdsAny(first, end)) {
            saved[page] = NOTHING;
            return;
        }
        float[][] planes = new float[1 + slots.length][];
        planes[0] = values.pageAt(page).clone();
        for (int k = 0; k < slots.length; k++) {
            planes[1 + k] = slots[k].pageAt(page).clone();
        }
        int[] steps = null;
        if (partition.catchesUp) {
            steps = new int[end - first];
            lastSteps.read(first, end, steps, 0);
        }
        saved[page] = new SavedPage(planes, steps);
        savedBytes += saved[page].bytes();
    }

    @Override
    void release() {
        int end = cursor == limit ? saved.length : cursor >>> shift;
        for (; released < end; released++) {
            if (saved[released] != null) {
                savedBytes -= saved[released].bytes();
                saved[released] = NOTHING;
            }
        }
    }

    @Override
    public long savedBytes() {
        return savedBytes;
    }

    @Override
    void forget() {
        Arrays.fill(saved, NOTHING);
        savedBytes = 0;
    }
}
