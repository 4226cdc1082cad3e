package io.github.flinkps.flink.testing;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.training.cut.CutPublisher;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.cut.CutClock;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPart;
import io.github.flinkps.model.cut.CutProgress;
import io.github.flinkps.model.cut.ManifestRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/**
 * The cuts of a {@link TestingParameterService}: entries behind a worker's marker are deferred
 * until all workers have sent theirs, then the rows are copied. Guarded by the service's monitor.
 */
public final class TestingCuts {
    private static final Map<String, Saved> SAVED = new ConcurrentHashMap<>();

    /** The progress of workers at cuts, by path. */
    private static final Map<String, CutProgress> PROGRESS = new ConcurrentHashMap<>();

    private final TestingParameterService service;
    private final Map<Integer, Long> deferredBy = new HashMap<>();
    private final Map<Integer, Long> lastMarker = new HashMap<>();
    private final Map<Integer, ArrayDeque<Runnable>> deferred = new HashMap<>();
    private final TreeMap<Long, Set<Integer>> pending = new TreeMap<>();
    private final Set<Long> frozen = new HashSet<>();
    private final Set<Long> aborted = new HashSet<>();
    private final Map<Long, CompletableFuture<CutReport>> waits = new HashMap<>();
    private final Map<Long, Long> bases = new HashMap<>();
    private String begun;
    private long fence;

    /** Returns the bytes that are reported of a cut, by the cut it adds to; 0: it has all rows. */
    public volatile LongUnaryOperator bytes = base -> 0;

    /** Cuts of which this is true are never written. */
    public volatile Predicate<Long> unwritten = cut -> false;

    private record Saved(Map<String, Map<Long, float[]>> rows, Map<Integer, Long> clocks) {}

    TestingCuts(TestingParameterService service) {
        this.service = service;
    }

    /** A new attempt, without any cut. */
    void reset(long newFence) {
        fence = newFence;
        deferredBy.clear();
        lastMarker.clear();
        deferred.clear();
        pending.clear();
        frozen.clear();
        aborted.clear();
        bases.clear();
        waits.values()
                .forEach(each -> each.completeExceptionally(failure(ErrorCode.FENCED, "fenced")));
        waits.clear();
        begun = null;
    }

    private static PsException failure(ErrorCode code, String reason) {
        return new PsException(code, reason);
    }

    /** Applies an entry of a worker: now, or behind its marker. */
    void entry(int worker, Runnable effect) {
        if (deferredBy.containsKey(worker)) {
            deferred.computeIfAbsent(worker, w -> new ArrayDeque<>()).add(effect);
        } else {
            effect.run();
        }
    }

    void begin(String manifest) {
        if (begun != null) {
            if (!begun.equals(manifest)) {
                throw failure(
                        ErrorCode.INVALID_ARGUMENT,
                        "cut '" + manifest + "' where another worker said '" + begun + "'");
            }
            return;
        }
        begun = manifest;
        if (!manifest.isEmpty()) {
            Saved saved = SAVED.get(manifest);
            if (saved == null) {
                throw failure(ErrorCode.CORRUPT, "no cut " + manifest);
            }
            service.restore(copy(saved.rows), new HashMap<>(saved.clocks));
        }
    }

    void marker(int worker, long cut, long base) {
        bases.put(cut, base);
        for (long before : new ArrayList<>(pending.headMap(cut).keySet())) {
            if (!pending.get(before).contains(worker)) {
                abort(before);
            }
        }
        lastMarker.put(worker, cut);
        if (!aborted.contains(cut) && !frozen.contains(cut)) {
            pending.computeIfAbsent(cut, c -> new HashSet<>()).add(worker);
            deferredBy.put(worker, cut);
        }
        settle();
    }

    void settle() {
        while (!pending.isEmpty()
                && service.active().stream().allMatch(pending.firstEntry().getValue()::contains)) {
            long cut = pending.firstKey();
            frozen.add(cut);
            if (!unwritten.test(cut)) {
                SAVED.put(
                        path(fence, cut), new Saved(copy(service.allRows()), service.clocksNow()));
                written(cut).complete(report(bases.get(cut)));
            }
            release(pending.remove(cut), cut);
        }
    }

    private CutReport report(long base) {
        StoredFile file = new StoredFile("rounds", 0, bytes.applyAsLong(base), 0);
        CutPart part = new CutPart(List.of(), List.of(file), clocks());
        return new CutReport(base, List.of(), List.of(part), 0);
    }

    /** Returns the cuts that those of this attempt add to, by the cuts' numbers. */
    public Map<Long, Long> bases() {
        synchronized (service) {
            return Map.copyOf(bases);
        }
    }

    private List<CutClock> clocks() {
        return new TreeMap<>(service.clocksNow())
                .values().stream()
                        .map(at -> at == Long.MAX_VALUE ? CutClock.finished() : CutClock.active(at))
                        .toList();
    }

    private static Map<String, Map<Long, float[]>> copy(Map<String, Map<Long, float[]>> rows) {
        Map<String, Map<Long, float[]>> copy = new HashMap<>();
        rows.forEach(
                (table, of) -> {
                    Map<Long, float[]> each = new TreeMap<>();
                    of.forEach((key, row) -> each.put(key, row.clone()));
                    copy.put(table, each);
                });
        return copy;
    }

    private void release(Set<Integer> workers, long cut) {
        for (int worker : workers) {
            if (deferredBy.remove(worker, cut)) {
                ArrayDeque<Runnable> entries = deferred.getOrDefault(worker, new ArrayDeque<>());
                while (!deferredBy.containsKey(worker) && !entries.isEmpty()) {
                    entries.poll().run();
                }
            }
        }
    }

    CompletableFuture<CutReport> written(long cut) {
        return waits.computeIfAbsent(cut, c -> new CompletableFuture<>());
    }

    void abort(long cut) {
        aborted.add(cut);
        written(cut)
                .completeExceptionally(failure(ErrorCode.CUT_FAILED, "cut " + cut + " aborted"));
        Set<Integer> marked = pending.remove(cut);
        if (marked != null) {
            release(marked, cut);
        }
    }

    /** Returns whether a worker waits for one that is deferred, and has not come to its barrier. */
    boolean blocks(int worker, long needed) {
        long mine = lastMarker.getOrDefault(worker, 0L);
        return deferredBy.entrySet().stream()
                .anyMatch(
                        other ->
                                other.getValue() > mine
                                        && service.clockOf(other.getKey()) < needed);
    }

    /** Returns the publisher that a job's workers are to be given. */
    public static CutPublisher publisher() {
        return new Publisher();
    }

    /** Returns whether a cut is on storage. */
    public static boolean isKept(long fence, long cut) {
        return SAVED.containsKey(path(fence, cut));
    }

    /** Returns the progress at a cut of the worker whose checkpoint was written last. */
    public static CutProgress progress(long fence, long cut) {
        return PROGRESS.get(path(fence, cut));
    }

    private static final class Publisher implements CutPublisher {
        private static final long serialVersionUID = 1L;

        @Override
        public String directory() {
            return "target/testing";
        }

        @Override
        public ManifestRef publish(Parts parts, boolean write) {
            return new ManifestRef(path(parts.cut().fence(), parts.cut().number()), 7);
        }

        @Override
        public void noteProgress(CutId cut, CutProgress progress) {
            if (progress != null) { // else a test gave the cut none
                PROGRESS.put(path(cut.fence(), cut.number()), progress);
            }
        }

        @Override
        public void removeRows(String run, long from) {}

        @Override
        public void complete(CutId cut) {}

        @Override
        public List<CutId> completed(String run) {
            return List.of();
        }

        @Override
        public void abandon(String run, long fence, CutId restored) {}

        @Override
        public List<CutId> unnoted(String run, long fence) {
            return List.of();
        }

        @Override
        public List<CutId> aborted(String run) {
            return List.of();
        }

        @Override
        public Set<CutId> standIns(String run) {
            return Set.of();
        }

        @Override
        public Set<CutId> copies(String run) {
            return Set.of();
        }

        @Override
        public List<CutId> remove(String run, List<CutId> removable) {
            removable.forEach(cut -> SAVED.remove(path(cut.fence(), cut.number())));
            return removable;
        }

        @Override
        public void sweep(String run, long fence) {}

        @Override
        public void removeLeft(String run) {}
    }

    private static String path(long fence, long cut) {
        return "testing/" + fence + "/" + cut;
    }
}
