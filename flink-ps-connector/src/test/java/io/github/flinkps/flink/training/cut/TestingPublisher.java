package io.github.flinkps.flink.training.cut;

import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutProgress;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Notes what it is told. All cuts but {@link #bases} may be removed. Thread-safe. */
final class TestingPublisher implements CutPublisher {
    private static final long serialVersionUID = 1L;

    /** That others need. */
    final Set<CutId> bases = ConcurrentHashMap.newKeySet();

    /** Cuts whose manifest cannot be written, nor their completion. */
    final Set<Long> unwritable = ConcurrentHashMap.newKeySet();

    /** Cuts that an earlier attempt aborted. */
    final Set<CutId> aborted = ConcurrentHashMap.newKeySet();

    /** Cuts of checkpoints whose outcome nobody was told. */
    final Set<CutId> untold = ConcurrentHashMap.newKeySet();

    /** Cuts that a savepoint may refer to instead of one of its own. */
    final Set<CutId> standIns = ConcurrentHashMap.newKeySet();

    /** Cuts of the same model as another one. */
    final Set<CutId> copies = ConcurrentHashMap.newKeySet();

    /** True if the storage fails where an attempt looks for what those before have left. */
    volatile boolean broken;

    private final Set<CutId> complete = new TreeSet<>();
    private final List<CutId> removed = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final List<CutProgress> progress = new ArrayList<>();

    /** Opens when the storage begins to answer about other runs. */
    CountDownLatch othersReadable = new CountDownLatch(0);

    private final List<String> leftRemovedAfter = new ArrayList<>();

    @Override
    public String directory() {
        return "m";
    }

    @Override
    public synchronized ManifestRef publish(Parts parts, boolean write) throws IOException {
        if (unwritable.contains(parts.cut().number())) {
            throw new IOException("disk full");
        }
        events.add("manifest " + parts.cut().number());
        return new ManifestRef("m/" + parts.cut().number(), 7);
    }

    @Override
    public synchronized void noteProgress(CutId cut, CutProgress told) {
        progress.add(told);
    }

    synchronized List<CutProgress> progress() {
        return List.copyOf(progress);
    }

    @Override
    public synchronized void complete(CutId cut) throws IOException {
        if (unwritable.contains(cut.number())) {
            throw new IOException("disk full");
        }
        events.add("complete " + cut.number());
        complete.add(cut);
    }

    @Override
    public synchronized List<CutId> completed(String run) {
        return List.copyOf(complete);
    }

    @Override
    public synchronized void abandon(String run, long fence, CutId restored) {
        untold.stream()
                .filter(cut -> cut.fence() < fence)
                .filter(cut -> restored == null || cut.number() > restored.number())
                .forEach(aborted::add);
    }

    @Override
    public synchronized List<CutId> unnoted(String run, long fence) {
        return untold.stream()
                .filter(cut -> cut.fence() < fence && !aborted.contains(cut))
                .sorted()
                .toList();
    }

    @Override
    public synchronized List<CutId> aborted(String run) {
        return aborted.stream().filter(cut -> !complete.contains(cut)).toList();
    }

    @Override
    public Set<CutId> standIns(String run) throws IOException {
        if (broken) {
            throw new IOException("unreachable");
        }
        return standIns;
    }

    @Override
    public Set<CutId> copies(String run) {
        return copies;
    }

    @Override
    public synchronized List<CutId> remove(String run, List<CutId> removable) {
        List<CutId> gone = removable.stream().filter(cut -> !bases.contains(cut)).toList();
        removed.addAll(gone);
        complete.removeAll(gone);
        aborted.removeAll(gone);
        untold.removeAll(gone);
        return gone;
    }

    @Override
    public synchronized void removeRows(String run, long from) {
        events.add("rows before " + from + " removed");
    }

    @Override
    public void sweep(String run, long fence) {}

    @Override
    public void removeLeft(String run) throws InterruptedIOException {
        try {
            othersReadable.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
        noteLeft();
    }

    private synchronized void noteLeft() {
        leftRemovedAfter.add(events.get(events.size() - 1));
    }

    /** Manifests, complete cuts and removed rows, in order. */
    synchronized List<String> events() {
        return List.copyOf(events);
    }

    /** The last event each time that was removed which other runs have left. */
    synchronized List<String> leftRemovedAfter() {
        return List.copyOf(leftRemovedAfter);
    }

    synchronized List<CutId> removed() {
        return List.copyOf(removed);
    }
}
