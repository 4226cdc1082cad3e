package io.github.flinkps.server;

import io.github.flinkps.common.PsException;
import io.github.flinkps.server.store.FrozenRows;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.store.RowImage;
import io.github.flinkps.server.store.SavedBlocks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * A frozen model at an owner while it is copied out: block by block, in turns of the owner's loop
 * that are short, and no more of them than the writing thread keeps up with. Confined to the owner
 * thread, but for what it hands to the writing thread.
 *
 * <p>What is copied was fixed by the freeze. The loop's clock says only how much of it a turn
 * copies, so it changes when the image is written, and never what is in it.
 */
final class CutImage {
    /** Short enough a turn for those who wait, long enough to write well. */
    private static final int BLOCK_BYTES = 256 << 10;

    /**
     * Blocks copied and not yet written: enough that the writing thread need not wait for turns.
     */
    private static final int MOST_BLOCKS = 16;

    /** A turn ends with the block that takes longer than this: requests come between two turns. */
    private static final long TURN_NANOS = 500_000;

    /**
     * Copying waits so long, if the cut has time, for the first pushes after the freeze: they save
     * the most rows, and need the cores for themselves.
     */
    private static final long START_NANOS = 20_000_000;

    /**
     * Hears once that the image has ended, unless it was aborted. A failure is null if all went
     * well.
     */
    interface End {
        void ended(CutImage image, String failure);
    }

    private record FrozenPartition(OwnerTable table, PartitionLog log, FrozenRows rows) {}

    private final long cut;
    private final CutContext context;
    private final SavedBlocks memory;
    private final End end;
    private final OwnerPart part;
    private final List<FrozenPartition> partitions = new ArrayList<>();

    /** Blocks of the table that is being copied. */
    private Deque<RowImage> unused = new ArrayDeque<>();

    private OwnerTable table;
    private int underWay;
    private boolean turnComes;
    private int next;
    private long deadline;
    private long mostSavedBytes;
    private boolean over;

    private CutImage(long cut, CutContext context, OwnerPart part, SavedBlocks memory, End end) {
        this.cut = cut;
        this.context = context;
        this.memory = memory;
        this.part = part;
        this.end = end;
    }

    /**
     * The state that is frozen.
     *
     * @param tables of the model at this owner
     */
    record Source(Collection<OwnerTable> tables, WorkerClocks clocks, OpenRounds rounds) {}

    /**
     * Freezes all partitions of the model here.
     *
     * @param memory for rows that must be saved from being overwritten
     */
    static CutImage freeze(
            Source source,
            CutContext context,
            CutLedger.Complete complete,
            SavedBlocks memory,
            End end) {
        OwnerPart part = new OwnerPart(context, complete, source);
        CutImage image = new CutImage(complete.cut(), context, part, memory, end);
        try {
            for (OwnerTable table : part.tables()) {
                for (int p : table.owned()) {
                    image.add(table, table.log(p), complete);
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
        FrozenRows rows = partition.freeze(cut, complete.base() == 0, memory);
        try {
            partitions.add(new FrozenPartition(table, log, rows));
        } catch (Error e) {
            rows.close();
            throw e;
        }
        part.add(table, log);
    }

    long cut() {
        return cut;
    }

    /** Returns the time by which it must be written, on the loop's clock. */
    long deadline() {
        return deadline;
    }

    /** Begins to copy. */
    void start() {
        deadline = context.loop().nanoTime() + context.deferNanos();
        turnComes = true;
        context.loop().schedule(this::turn, Math.min(START_NANOS, context.deferNanos() / 4));
    }

    private void turn() {
        turnComes = false;
        long begun = context.loop().nanoTime();
        mostSavedBytes = Math.max(mostSavedBytes, memory.savedBytes());
        try {
            while (!over && underWay < MOST_BLOCKS && next < partitions.size()) {
                copy();
                if (context.loop().nanoTime() - begun > TURN_NANOS) {
                    break;
                }
            }
            goOn();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Copies a block, or ends a partition that has no more. */
    private void copy() {
        FrozenPartition frozen = partitions.get(next);
        if (frozen.table() != table) {
            table = frozen.table();
            unused = new ArrayDeque<>();
        }
        Deque<RowImage> free = unused;
        RowImage block = free.isEmpty() ? block(frozen) : free.pop();
        int rows = frozen.rows().next(block);
        if (rows == 0) {
            free.push(block);
            frozen.rows().close();
            next++;
            return;
        }
        int at = next;
        underWay++;
        write(
                () -> part.append(at, block, rows),
                () -> {
                    underWay--;
                    free.push(block);
                    goOn();
                });
    }

    /** Sees to it that what is to come does. */
    private void goOn() {
        if (over || turnComes) {
            return;
        }
        if (next == partitions.size()) {
            if (underWay == 0) {
                long most = mostSavedBytes;
                write(() -> part.finish(most), this::written);
            }
        } else if (underWay < MOST_BLOCKS) {
            turnComes = true;
            // A timer runs once between two looks at the connections; commands run in a row.
            context.loop().schedule(this::turn, 0);
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
        context.thread()
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
            context.loop()
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
            context.listener().written(context.name(cut), context.share().owner(), part.encoded());
            end.ended(this, null);
        }
    }

    /**
     * Gives the image up, and says why. An AssertionError, which is a bug, fails the loop as well.
     */
    private void fail(Throwable cause) {
        if (!over) {
            abort();
            end.ended(this, "it cannot be written: " + PsException.of(cause).getMessage());
        }
        KnownError.throwBug(cause);
    }

    /** Gives the image up and removes what was written; nobody is told. Idempotent. */
    void abort() {
        if (over) {
            return;
        }
        over = true;
        partitions.forEach(frozen -> frozen.rows().close());
        try {
            context.thread().execute(part::abort);
        } catch (RejectedExecutionException e) {
            // The server closes: what it wrote has no manifest and is swept.
        }
    }
}
