package io.github.flinkps.server;

import io.github.flinkps.server.store.FrozenRows;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.store.RowImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * A frozen model at an owner while it is copied out: one block a turn of the owner's loop, which
 * the writing thread appends to files before the next one is copied. Confined to the owner thread,
 * but for what it hands to the writing thread.
 */
final class CutImage {
    /** Floats of a block: short enough a turn for those who wait, long enough to write well. */
    private static final int BLOCK_BYTES = 256 << 10;

    /** Told once that the image has ended, with what went wrong or null, unless it was aborted. */
    interface End {
        void ended(CutImage image, String failure);
    }

    private record FrozenPartition(OwnerTable table, PartitionLog log, FrozenRows rows) {}

    private final long cut;
    private final long deadline;
    private final CutPlace place;
    private final End end;
    private final OwnerPart part;
    private final List<FrozenPartition> partitions = new ArrayList<>();
    private final Map<OwnerTable, RowImage> blocks = new HashMap<>();
    private int next;
    private long mostSavedBytes;
    private boolean over;

    private CutImage(long cut, CutPlace place, OwnerPart part, End end) {
        this.cut = cut;
        this.place = place;
        this.deadline = place.loop().nanoTime() + place.holdNanos();
        this.part = part;
        this.end = end;
    }

    /** Freezes all partitions of the model here. */
    static CutImage freeze(OwnerModel model, CutPlace place, CutLedger.Complete complete, End end) {
        OwnerPart part = new OwnerPart(place, complete, model.standing(), model.tables());
        CutImage image = new CutImage(complete.cut(), place, part, end);
        try {
            for (OwnerTable table : part.tables()) {
                for (int p = 0; p < table.spec().partitions(); p++) {
                    if (table.log(p) != null) {
                        image.add(table, table.log(p), complete);
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            image.abort();
            throw e;
        }
        return image;
    }

    private void add(OwnerTable table, PartitionLog log, CutLedger.Complete complete) {
        Partition partition = log.partition();
        if (complete.base() > 0) {
            partition.completed(complete.base());
        }
        FrozenRows rows = partition.freeze(cut, complete.base() == 0);
        partitions.add(new FrozenPartition(table, log, rows));
        part.add(table, log, rows);
    }

    long cut() {
        return cut;
    }

    /** When it must be written, on the loop's clock. */
    long deadline() {
        return deadline;
    }

    /** Memory of rows saved from being overwritten. */
    long savedBytes() {
        long bytes = 0;
        for (int i = next; i < partitions.size(); i++) {
            bytes += partitions.get(i).rows().savedBytes();
        }
        return bytes;
    }

    /** Begins to copy. */
    void start() {
        place.loop().execute(this::copy);
    }

    private void copy() {
        if (over) {
            return;
        }
        mostSavedBytes = Math.max(mostSavedBytes, savedBytes());
        try {
            while (next < partitions.size()) {
                FrozenPartition frozen = partitions.get(next);
                RowImage block = blocks.computeIfAbsent(frozen.table(), table -> block(frozen));
                int rows = frozen.rows().next(block);
                if (rows > 0) {
                    int at = next;
                    write(() -> part.append(at, block, rows), this::copy);
                    return;
                }
                frozen.rows().close();
                next++;
            }
            long most = mostSavedBytes;
            write(() -> part.finish(most), this::written);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private static RowImage block(FrozenPartition frozen) {
        Partition partition = frozen.log().partition();
        return partition.image(Math.max(1, BLOCK_BYTES / partition.imageBytesPerRow()));
    }

    private interface Work {
        void run() throws Exception;
    }

    /** Lets the writing thread do something, and then goes on here. */
    private void write(Work work, Runnable then) {
        place.thread()
                .execute(
                        () -> {
                            Throwable failure = null;
                            try {
                                work.run();
                            } catch (Throwable e) {
                                failure = e;
                            }
                            resume(failure, then);
                        });
    }

    private void resume(Throwable failure, Runnable then) {
        try {
            place.loop()
                    .execute(
                            () -> {
                                if (failure != null) {
                                    fail(failure);
                                } else {
                                    then.run();
                                }
                            });
        } catch (RejectedExecutionException e) {
            part.abort(); // the server closes
        }
    }

    private void written() {
        if (!over) {
            over = true;
            place.listener().written(place.name(cut), place.owner(), part.encoded());
            end.ended(this, null);
        }
    }

    private void fail(Throwable cause) {
        if (!over) {
            abort();
            end.ended(this, "it cannot be written: " + cause.getMessage());
        }
    }

    /** Gives the image up and removes what was written; nobody is told. Idempotent. */
    void abort() {
        if (over) {
            return;
        }
        over = true;
        partitions.forEach(frozen -> frozen.rows().close());
        try {
            place.thread().execute(part::abort);
        } catch (RejectedExecutionException e) {
            // The server closes: what it wrote has no manifest and is swept.
        }
    }
}
