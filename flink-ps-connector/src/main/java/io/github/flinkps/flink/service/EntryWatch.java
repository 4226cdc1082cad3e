package io.github.flinkps.flink.service;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Judges entries of a registry by what changes in them: who leads a job renews its entry, and one
 * that stays as it is for {@link ServiceEnumerator#EXPIRY} was left behind. That time is of this
 * process's own clock. The time that is written in an entry is of another machine's, and only says
 * whether an entry that is seen for the first time is worth a try before it changes. One thread at
 * a time.
 */
public final class EntryWatch {
    private static final Duration EXPIRY = ServiceEnumerator.EXPIRY;

    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    private Map<String, Seen> seen = Map.of();

    /**
     * An entry.
     *
     * @param nanos when it was first seen as it is
     * @param renewed whether it has changed before, or is likely to have
     */
    private record Seen(ServiceAddress entry, long nanos, boolean renewed) {}

    /**
     * @param nanoTime a clock, as {@link System#nanoTime}
     * @param wallMillis a clock, as {@link System#currentTimeMillis}
     */
    public EntryWatch(LongSupplier nanoTime, LongSupplier wallMillis) {
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
    }

    /** Returns those entries, of all that there are now, whose jobs are likely to run. */
    public List<ServiceAddress> alive(List<ServiceAddress> entries) {
        long now = nanoTime.getAsLong();
        Map<String, Seen> next = new HashMap<>();
        for (ServiceAddress entry : entries) {
            Seen before = seen.get(entry.run());
            boolean same = before != null && before.entry().equals(entry);
            next.put(
                    entry.run(),
                    same ? before : new Seen(entry, now, before != null || mayBeNew(entry)));
        }
        seen = next;
        return entries.stream()
                .filter(entry -> entry.outlivesJob() || isAlive(seen.get(entry.run()), now))
                .toList();
    }

    /**
     * Returns whether an entry, seen last by {@link #alive}, has been watched for too short a time
     * to say that its job does not run.
     */
    boolean isDoubtful(ServiceAddress entry) {
        Seen last = seen.get(entry.run());
        return !entry.outlivesJob()
                && !entry.hasEnded()
                && !last.renewed()
                && nanoTime.getAsLong() - last.nanos() < EXPIRY.toNanos();
    }

    private boolean mayBeNew(ServiceAddress entry) {
        return entry.expiryMillis() >= wallMillis.getAsLong();
    }

    private static boolean isAlive(Seen entry, long now) {
        return entry.renewed() && now - entry.nanos() < EXPIRY.toNanos();
    }
}
