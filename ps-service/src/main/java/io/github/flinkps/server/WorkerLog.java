package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.store.Confinement;
import io.github.flinkps.transport.Connection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The log of a worker at an owner thread: a contiguous sequence of entries, each of which takes its
 * position once. Knows the entries that came before their turn, those that were refused, and those
 * deferred behind a marker. Confined to the owner thread.
 */
final class WorkerLog {
    /**
     * Entries below the next expected one that are still acknowledged as done; older ones are
     * refused.
     */
    static final long WINDOW = 4096;

    private static final int MAX_EARLY = 256;

    /** The most refusals kept: more than a worker can ask for again; plain clients have many. */
    private static final int MAX_REFUSALS = 16 * (int) WINDOW;

    private final Confinement confinement = new Confinement();
    private final TreeMap<Long, ExchangeRequest> early = new TreeMap<>();
    private final Map<Long, PsException> refusals = new LinkedHashMap<>();
    private long expected;
    private PsException failure;
    private LogEntry firstDeferred;
    private LogEntry lastDeferred;

    /** The order of an entry relative to the one expected next. */
    enum Order {
        NEXT,
        DONE,
        EARLY
    }

    /**
     * Compares the sequence of an entry with the one expected next.
     *
     * @throws PsException SEQUENCE_TOO_OLD below the window
     */
    static Order order(long expected, long sequence) {
        if (sequence == expected) {
            return Order.NEXT;
        }
        if (sequence > expected) {
            return Order.EARLY;
        }
        if (sequence < expected - WINDOW) {
            throw new PsException(
                    ErrorCode.SEQUENCE_TOO_OLD,
                    "entry " + sequence + " lies below the window that ends at " + expected);
        }
        return Order.DONE;
    }

    /**
     * Compares an entry with the one expected next.
     *
     * @throws PsException SEQUENCE_TOO_OLD below the window
     */
    Order order(LogEntry entry) {
        assert confinement.isOwnThread();
        return order(expected, entry.sequence());
    }

    /** Gives the entry its position, which was expected next. */
    void take() {
        assert confinement.isOwnThread();
        expected++;
    }

    /** Notes that an entry that has its position was refused; who asks again is told the same. */
    void refused(LogEntry entry) {
        assert confinement.isOwnThread();
        remember(refusals, entry.sequence(), entry.refusal());
    }

    static <K> void remember(Map<K, PsException> refusals, K entry, PsException reason) {
        refusals.put(entry, reason);
        if (refusals.size() > MAX_REFUSALS) {
            refusals.remove(refusals.keySet().iterator().next());
        }
    }

    /** Returns why an entry that has taken its position was refused, or null. */
    PsException refusal(LogEntry entry) {
        return refusals.get(entry.sequence());
    }

    /**
     * Keeps an entry that came before its predecessors.
     *
     * @throws PsException THROTTLED, before anything is kept
     */
    void addEarly(ExchangeRequest request, long inFlightBytes) {
        assert confinement.isOwnThread();
        if (early.size() >= MAX_EARLY) {
            throw new PsException(ErrorCode.THROTTLED, "too many entries wait for an earlier one");
        }
        request.reserve(inFlightBytes);
        ExchangeRequest before = early.put(request.entry().sequence(), request);
        if (before != null) {
            before.release();
        }
    }

    /** Takes out the early entry whose turn it is, or returns null. */
    ExchangeRequest pollEarly() {
        assert confinement.isOwnThread();
        return early.isEmpty() ? null : early.remove(expected);
    }

    boolean hasEarly() {
        return !early.isEmpty();
    }

    /** Fails early entries whose predecessor has not come in time: their client gives up. */
    void expire(long now) {
        assert confinement.isOwnThread();
        Iterator<ExchangeRequest> requests = early.values().iterator();
        while (requests.hasNext()) {
            ExchangeRequest request = requests.next();
            if (now - request.deadline() >= 0) {
                requests.remove();
                request.fail(
                        new PsException(ErrorCode.TIMEOUT, "entry " + expected + " has not come"));
            }
        }
    }

    /** Lets go of early entries of a connection that has closed: its client sends them again. */
    void closed(Connection connection) {
        assert confinement.isOwnThread();
        Iterator<ExchangeRequest> requests = early.values().iterator();
        while (requests.hasNext()) {
            ExchangeRequest request = requests.next();
            if (request.isOf(connection)) {
                requests.remove();
                request.release();
            }
        }
    }

    /** Fails the entries that wait for their turn. */
    void failEarly(PsException reason) {
        assert confinement.isOwnThread();
        early.values().forEach(request -> request.fail(reason));
        early.clear();
    }

    /**
     * Returns what became of an entry that had been acknowledged before it took effect, or null.
     */
    PsException failure() {
        return failure;
    }

    /** Fails all requests from now on, because an entry that had been acknowledged has failed. */
    void fail(PsException reason) {
        assert confinement.isOwnThread();
        failure = failure == null ? reason : failure;
    }

    /** Holds an entry behind the worker's marker, and keeps its frame. */
    void defer(LogEntry entry) {
        assert confinement.isOwnThread();
        if (firstDeferred == null) {
            firstDeferred = entry;
        } else {
            lastDeferred.nextDeferred(entry);
        }
        lastDeferred = entry;
        entry.retain();
    }

    /** Takes out the oldest entry deferred, or returns null; the caller releases it. */
    LogEntry pollDeferred() {
        assert confinement.isOwnThread();
        LogEntry entry = firstDeferred;
        if (entry != null) {
            firstDeferred = entry.nextDeferred();
            lastDeferred = firstDeferred == null ? null : lastDeferred;
        }
        return entry;
    }
}
