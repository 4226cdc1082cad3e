package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.WorkerLog.Order;
import io.github.flinkps.server.store.Confinement;
import io.netty.util.collection.IntObjectHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The log of a plain client at an owner thread: each partition has a sequence of its own, and an
 * entry takes one position in that of every partition it touches, all of them or none. Confined to
 * the owner thread.
 */
final class PlainLog {
    /** A push to a partition. */
    private record LogPosition(int table, int partition, long sequence) {}

    private final Confinement confinement = new Confinement();
    private final OwnerModel model;

    /** The next sequence of each partition, by table. */
    private final IntObjectHashMap<long[]> expected = new IntObjectHashMap<>();

    private final Map<LogPosition, PsException> refusals = new LinkedHashMap<>();

    /** Positions that the entry at hand had to give back. */
    private int givenBack;

    PlainLog(OwnerModel model) {
        this.model = model;
    }

    /**
     * Gives an entry its positions. One that has them already is refused if it was refused before.
     *
     * @return whether it is to have its effect now
     * @throws PsException THROTTLED before its turn, SEQUENCE_TOO_OLD below the window; it has
     *     taken no position then
     */
    boolean take(LogEntry entry) {
        assert confinement.isOwnThread();
        int all = entry.positions();
        int given = entry.visitPositions(all, this::give);
        if (given == all) {
            return true;
        }
        givenBack = 0;
        entry.forEachPosition(given, this::giveBack);
        entry.forEachPosition(
                all,
                (table, partition, sequence) -> {
                    if (isDone(table, partition, sequence)) {
                        entry.refuse(refusals.get(new LogPosition(table, partition, sequence)));
                    }
                });
        if (givenBack > 0) {
            throw SectionReader.malformed("some of its partitions have taken it before");
        }
        return false;
    }

    private boolean give(int table, int partition, long sequence) {
        long[] next = expected(table);
        if (next == null) {
            return true; // a table that is gone has no log
        }
        if (partition < 0 || partition >= next.length || next[partition] != sequence) {
            return false;
        }
        next[partition]++;
        return true;
    }

    private void giveBack(int table, int partition, long sequence) {
        long[] next = expected(table);
        if (next != null) {
            next[partition]--;
            givenBack++;
        }
    }

    /** Returns whether a position has been taken; else it is the next one, or of no log. */
    private boolean isDone(int table, int partition, long sequence) {
        long[] next = expected(table);
        if (next == null) {
            return false;
        }
        if (partition < 0 || partition >= next.length) {
            throw SectionReader.malformed("a sequence for partition " + partition);
        }
        Order order = WorkerLog.order(next[partition], sequence);
        if (order == Order.EARLY) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "an earlier push to partition " + partition + " is missing");
        }
        return order == Order.DONE;
    }

    /** Notes that an entry that has its positions was refused; who asks again is told the same. */
    void refused(LogEntry entry) {
        entry.forEachPosition(
                entry.positions(),
                (table, partition, sequence) -> {
                    if (model.hasTable(table)) {
                        LogPosition position = new LogPosition(table, partition, sequence);
                        WorkerLog.remember(refusals, position, entry.refusal());
                    }
                });
    }

    /** Returns the next sequence of each partition of a table, or null if it is gone. */
    private long[] expected(int id) {
        long[] next = expected.get(id);
        if (next == null && model.hasTable(id)) {
            next = new long[model.table(id).spec().partitions()];
            expected.put(id, next);
        }
        return next;
    }

    /** Forgets what it knows of a table that is gone. */
    void forget(OwnerTable table) {
        assert confinement.isOwnThread();
        expected.remove(table.id());
        refusals.keySet().removeIf(position -> position.table() == table.id());
    }
}
