package io.github.flinkps.server.store;

import io.github.flinkps.common.KeyHash;

/** The frozen rows of a partition of a sparse table. Saves row by row. */
final class FrozenSparseRows extends FrozenRows {
    private final KeyHash keyHash;
    private final LongChunks hashes;
    private final RowPages pages;
    private final RowSteps lastSteps;
    private final SavedRows saved;

    FrozenSparseRows(
            SparsePartition partition,
            KeyHash keyHash,
            LongChunks hashes,
            RowPages pages,
            RowSteps lastSteps,
            Extent extent) {
        super(partition, hashes.size(), hashes.size(), extent);
        this.keyHash = keyHash;
        this.hashes = hashes;
        this.pages = pages;
        this.lastSteps = lastSteps;
        this.saved = new SavedRows(partition, limit, extent.memory());
    }

    @Override
    int selectAll(int[] rows) {
        int count = Math.min(rows.length, limit - cursor);
        for (int i = 0; i < count; i++) {
            rows[i] = cursor + i;
        }
        cursor += count;
        return count;
    }

    @Override
    void copy(int[] rows, int count, RowImage into) {
        long[] keys = into.keys();
        for (int i = 0; i < count; i++) {
            keys[i] = keyHash.key(hashes.get(rows[i]));
        }
        pages.read(rows, 0, count, 0, into.values());
        for (int k = 0; k < partition.slotCount; k++) {
            pages.read(rows, 0, count, k + 1, into.slots()[k]);
        }
        if (partition.catchesUp) {
            lastSteps.read(rows, count, into.stepsOrNull());
        }
        if (saved.any()) {
            RowBits written = partition.written();
            for (int i = 0; i < count; i++) {
                if (written.contains(rows[i])) {
                    saved.read(rows[i], into, i);
                }
            }
        }
    }

    /**
     * Marks rows as written; saves those not marked yet: it is their first write since the freeze.
     */
    @Override
    void beforeWrite(RowBits written, int[] rows, int from, int to) {
        if (cursor >= limit) {
            written.set(rows, from, to);
            return;
        }
        for (int i = from; i < to; i++) {
            if (written.add(rows[i])) {
                save(written, rows[i]);
            }
        }
    }

    private void save(RowBits written, int row) {
        if (row >= cursor && row < limit && contains(row)) {
            int step = partition.catchesUp ? lastSteps.get(row) : 0;
            try {
                saved.save(row, pages.page(row), pages.offset(row), step);
            } catch (RuntimeException | Error e) {
                written.remove(row); // the next write must save it
                throw e;
            }
        }
    }

    @Override
    void release() {
        saved.release(cursor);
    }

    @Override
    public long savedBytes() {
        return saved.bytes();
    }

    @Override
    void forget() {
        saved.release(limit);
    }
}
