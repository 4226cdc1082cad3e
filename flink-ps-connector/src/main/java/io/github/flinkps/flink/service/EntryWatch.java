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
     * @param changed whether it was seen otherwise before
     * @param mayBeNew whether its time was not over when it was first seen as it is
     */
    private record Seen(ServiceAddress entry, long nanos, boolean changed, boolean mayBeNew) {
        private boolean isRenewed() {
            return changed || mayBeNew;
        }
    }

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
                    same ? before : new Seen(entry, now, before != null, mayBeNew(entry)));
        }
        seen = next;
        return entries.stream()
                .filter(entry -> entry.outlivesJob() || isAlive(seen.get(entry.run()), now))
                .toList();
    }

    /**
     * Returns whether an entry, seen last by {@link #alive}, has been watched for too short a time
     * to say whether its job runs. One that seems to have been renewed just now counts as renewed:
     * to take a job for running that does not run loses nothing. One that says that its job has
     * ended may be of a JobManager that has handed the job over.
     */
    public boolean isDoubtful(ServiceAddress entry) {
        Seen last = seen.get(entry.run());
        boolean renewed = last.changed() || last.mayBeNew() && isOfNow(entry);
        return !entry.outlivesJob()
                && (entry.hasEnded() || !renewed)
                && nanoTime.getAsLong() - last.nanos() < EXPIRY.toNanos();
    }

    private boolean mayBeNew(ServiceAddress entry) {
        return entry.expiryMillis() >= wallMillis.getAsLong();
    }

    /** Returns whether no clock that is ahead has written the entry. */
    private boolean isOfNow(ServiceAddress entry) {
        return entry.expiryMillis() - wallMillis.getAsLong() <= EXPIRY.toMillis();
    }

    private static boolean isAlive(Seen entry, long now) {
        return entry.isRenewed() && now - entry.nanos() < EXPIRY.toNanos();
    }
}
