package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.WorkerLog.Order;
import io.github.flinkps.server.store.Confinement;
import io.netty.util.collection.IntObjectHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The pushes of a plain client at an owner thread: each partition touched has a sequence of its
 * own, and takes them at once. Confined to the owner thread.
 */
final class PlainLog {
    /** A push to a partition. */
    private record LogPosition(int table, int partition, long sequence) {}

    private final Confinement confinement = new Confinement();

    /** The next sequence of each partition, by table. */
    private final IntObjectHashMap<long[]> expected = new IntObjectHashMap<>();

    private final Map<LogPosition, PsException> refusals = new LinkedHashMap<>();

    /** Takes the pushes of an entry that have not been taken; what is refused stays refused. */
    void take(LogEntry entry, OwnerAttempt attempt) {
        assert confinement.holds();
        entry.prepare(0);
        for (int i = 0; i < entry.pushSections(); i++) {
            Push push = entry.push(i);
            for (int slice = 0; slice < push.rows().slices(); slice++) {
                take(entry, attempt, push, slice);
            }
        }
    }

    private void take(LogEntry entry, OwnerAttempt attempt, Push push, int slice) {
        OwnerTable table = push.rows().table();
        int partition = push.rows().partitions[slice];
        long sequence = entry.sequence(push, slice);
        long[] next = expected(table);
        Order order = WorkerLog.order(next[partition], sequence);
        if (order == Order.EARLY) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "an earlier push to partition " + partition + " is missing");
        }
        if (order == Order.DONE) {
            entry.refuse(refusals.get(new LogPosition(table.id(), partition, sequence)));
            return;
        }
        attempt.checkSavedRows();
        next[partition]++;
        if (entry.refusal() == null) {
            try {
                push.rows().log(slice).pushNow(push, slice);
            } catch (RuntimeException | Error e) {
                entry.refuse(KnownError.of(e));
            }
        }
        if (entry.refusal() != null) {
            LogPosition position = new LogPosition(table.id(), partition, sequence);
            WorkerLog.remember(refusals, position, entry.refusal());
        }
    }

    private long[] expected(OwnerTable table) {
        long[] next = expected.get(table.id());
        if (next == null) {
            next = new long[table.spec().partitions()];
            expected.put(table.id(), next);
        }
        return next;
    }

    /** Forgets what it knows of a table that is gone. */
    void forget(OwnerTable table) {
        assert confinement.holds();
        expected.remove(table.id());
        refusals.keySet().removeIf(position -> position.table() == table.id());
    }
}
