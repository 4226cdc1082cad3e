package io.github.flinkps.server.store;

/**
 * The rows of a partition as they were when it was frozen, handed out block by block while training
 * goes on: what is written in between is saved first. Confined to the owner thread of the
 * partition, and open until {@link #close}; {@link Partition#clear} closes it too.
 */
public abstract sealed class FrozenRows implements AutoCloseable
        permits FrozenSparseRows, FrozenDenseRows {
    final Partition partition;

    /** Rows below this one existed when the partition was frozen. */
    final int limit;

    /** Rows below this one were handed out or are not in the image. */
    int cursor;

    private final long step;
    private final long base;
    private final long allRows;
    private RowBits[] changed;
    private long changedRows = -1;
    private boolean closed;

    /**
     * The extent of an image.
     *
     * @param changedOrNull the sets of an increment, which must not change while the image is open
     * @param base the cut that an increment is for
     * @param memory for the rows saved
     */
    record Extent(RowBits[] changedOrNull, long base, SavedBlocks memory) {}

    /**
     * @param allRows rows of an image that is full
     */
    FrozenRows(Partition partition, int limit, long allRows, Extent extent) {
        this.partition = partition;
        this.limit = limit;
        this.allRows = allRows;
        this.changed = extent.changedOrNull();
        this.step = partition.step();
        this.base = changed == null ? Partition.NO_CUT : extent.base();
    }

    /** Returns the optimizer steps counted when the partition was frozen. */
    public final long step() {
        return step;
    }

    /** Returns whether all rows are handed out, not only those changed since {@link #base}. */
    public final boolean full() {
        return base == Partition.NO_CUT;
    }

    /**
     * Returns the completed cut that an increment is relative to; {@link Partition#NO_CUT} if this
     * image is full. Applied over a later completed cut the increment is as right, as it holds the
     * later value of every row it has.
     */
    public final long base() {
        return base;
    }

    /**
     * Returns how many rows the image hands out in all. The first call for an increment counts bits
     * (a partition of 2^24 rows: about .2 ms).
     */
    public final long rows() {
        if (full()) {
            return allRows;
        }
        if (changedRows < 0) {
            checkOpen();
            changedRows = count();
        }
        return changedRows;
    }

    private long count() {
        long rows = 0;
        int words = words();
        for (int w = 0; w < words; w = following(w)) {
            rows += Long.bitCount(changedWord(w));
        }
        return rows;
    }

    /**
     * Copies the next rows, in order of row numbers, bit for bit and not caught up.
     *
     * @return rows copied, 0 at the end
     * @throws IllegalStateException if the image is closed
     */
    public final int next(RowImage into) {
        assert partition.confined();
        checkOpen();
        into.check(partition);
        int[] rows = into.rowNumbers;
        int count = full() ? selectAll(rows) : selectChanged(rows);
        copy(rows, count, into);
        release();
        return count;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "the image of partition "
                            + partition.index
                            + " of table '"
                            + partition.spec.name()
                            + "' is closed");
        }
    }

    /** Takes the next rows of a full image and moves the cursor behind them. */
    abstract int selectAll(int[] rows);

    private int selectChanged(int[] rows) {
        int count = 0;
        int words = words();
        for (int w = cursor >>> 6; w < words; w = following(w)) {
            long word = changedWord(w);
            if (w == cursor >>> 6) {
                word &= -1L << cursor;
            }
            for (; word != 0; word &= word - 1) {
                if (count == rows.length) {
                    cursor = rows[count - 1] + 1;
                    return count;
                }
                rows[count++] = (w << 6) + Long.numberOfTrailingZeros(word);
            }
        }
        cursor = limit;
        return count;
    }

    private int words() {
        return (int) (limit + 63L >>> 6);
    }

    /** Returns the next word to look at; chunks in which nothing changed are skipped. */
    private int following(int word) {
        for (RowBits set : changed) {
            if (set.hasChunkOf(word)) {
                return word + 1;
            }
        }
        return (word >>> RowBits.WORD_SHIFT) + 1 << RowBits.WORD_SHIFT;
    }

    private long changedWord(int word) {
        long union = 0;
        for (RowBits set : changed) {
            union |= set.word(word);
        }
        return union;
    }

    /** Returns whether the image is of a row below the limit. */
    final boolean contains(int row) {
        return changed == null || (changedWord(row >>> 6) >>> row & 1) != 0;
    }

    /** Returns whether the image is of any of these rows below the limit. */
    final boolean containsAny(int from, int to) {
        if (changed == null) {
            return from < to;
        }
        for (int w = from >>> 6; w <= to - 1 >>> 6; w++) {
            long word = changedWord(w);
            word &= w == from >>> 6 ? -1L << from : -1L;
            word &= w == to - 1 >>> 6 ? -1L >>> -to : -1L;
            if (word != 0) {
                return true;
            }
        }
        return false;
    }

    /** Copies the rows selected: what was saved, else what is stored. */
    abstract void copy(int[] rows, int count, RowImage into);

    /** Gives back what was saved of rows below the cursor. */
    abstract void release();

    /** Marks rows as written and saves those that the image is yet to hand out. */
    abstract void beforeWrite(RowBits written, int[] rows, int from, int to);

    /** Returns the memory of the rows saved and not handed out yet. Other threads may read it. */
    public abstract long savedBytes();

    /** Gives back what was saved; the partition can be frozen again. */
    @Override
    public final void close() {
        if (!closed) {
            assert partition.confined();
            closed = true;
            cursor = limit;
            changed = null;
            try {
                forget();
            } finally {
                partition.thawed();
            }
        }
    }

    /** Gives back all memory. */
    abstract void forget();
}
