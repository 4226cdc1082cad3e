package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A registration with a model as one owner thread sees it. Confined to the owner thread. */
final class OwnerSession {
    private static final int MAX_EARLY = 256;

    /** Of a worker's entries more than can be asked for again; those of plain clients are many. */
    private static final long MAX_REFUSALS = 16 * WorkerClocks.WINDOW;

    private final int id;
    private final OwnerModel model;
    private final int worker;
    private final long fence;
    private final TreeMap<Long, ExchangeRequest> early = new TreeMap<>();
    private final Map<Integer, long[]> explicit = new HashMap<>();
    private final Map<Entry, PsException> refusals = new LinkedHashMap<>();
    private long expected;
    private PsException failure;

    /** An entry of this session in a log: of a plain client's to a partition, or of a worker's. */
    record Entry(int table, int partition, long sequence) {
        static Entry ofWorker(long sequence) {
            return new Entry(-1, -1, sequence);
        }
    }

    /**
     * A session; {@code worker} is negative for a plain client, {@code fence} 0 for one that
     * belongs to no attempt.
     */
    OwnerSession(int id, OwnerModel model, int worker, long fence) {
        this.id = id;
        this.model = model;
        this.worker = worker;
        this.fence = fence;
    }

    int id() {
        return id;
    }

    OwnerModel model() {
        return model;
    }

    int worker() {
        return worker;
    }

    boolean isWorker() {
        return worker >= 0;
    }

    /** The sequence of the next entry that stands in every log. */
    long expected() {
        return expected;
    }

    void take() {
        expected++;
    }

    /** What became of an entry that had been acknowledged before it took effect, or null. */
    PsException failure() {
        return failure;
    }

    /** An entry that had been acknowledged has failed: so will all requests from now on. */
    void fail(PsException reason) {
        failure = failure == null ? reason : failure;
    }

    /**
     * An entry has taken its place and was refused. The answer may be lost: who asks again is told
     * the same.
     */
    void refused(Entry entry, PsException reason) {
        refusals.put(entry, reason);
        if (refusals.size() > MAX_REFUSALS) {
            refusals.remove(refusals.keySet().iterator().next());
        }
    }

    /** Why an entry that has taken its place was refused, or null. */
    PsException refusal(Entry entry) {
        return refusals.get(entry);
    }

    /** A plain client's next sequences, by partition of a table. */
    long[] explicit(OwnerTable table) {
        return explicit.computeIfAbsent(table.id(), id -> new long[table.spec().partitions()]);
    }

    /** Whether it belongs to an attempt before that of the fence. */
    boolean isOlderThan(long newer) {
        return fence != 0 && fence < newer;
    }

    /** Keeps an entry that came before its predecessors. */
    void addEarly(ExchangeRequest request, long inFlightBytes) {
        if (early.size() >= MAX_EARLY) {
            throw new PsException(ErrorCode.THROTTLED, "too many entries wait for an earlier one");
        }
        request.hold(inFlightBytes);
        ExchangeRequest before = early.put(request.sequence(), request);
        if (before != null) {
            before.release();
        }
    }

    /** The waiting entry whose turn it is, or null. */
    ExchangeRequest pollEarly() {
        return early.remove(expected);
    }

    boolean hasEarly() {
        return !early.isEmpty();
    }

    /** Fails what waits for an entry that has not come: its client gives up. */
    void expire(long now) {
        early.values()
                .removeIf(
                        request -> {
                            boolean late = now - request.deadline() >= 0;
                            if (late) {
                                request.fail(
                                        new PsException(
                                                ErrorCode.TIMEOUT,
                                                "entry " + expected + " has not come"));
                            }
                            return late;
                        });
    }

    /** Forgets what it knows of a table that is gone. */
    void forget(OwnerTable table) {
        explicit.remove(table.id());
        refusals.keySet().removeIf(entry -> entry.table() == table.id());
    }

    /** Fails what waits for its turn. */
    void end(PsException reason) {
        early.values().forEach(request -> request.fail(reason));
        early.clear();
        explicit.clear();
    }
}
