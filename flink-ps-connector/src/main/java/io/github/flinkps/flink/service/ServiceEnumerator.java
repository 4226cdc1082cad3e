package io.github.flinkps.flink.service;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.cut.CutCatalog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers the attempts of a job and leads its servers through each:
 *
 * <pre>
 * start               -> the registry's entry says that the job is led
 * reader i registers  -> Start to i
 * Started of all      -> Prepare(addresses) to reader 0, which creates tables and loads the model
 * Prepared of 0       -> the entry names the servers: workers come
 * Saved of 0          -> the entry names no servers, End to all readers
 * Failed of any       -> the job fails
 * close               -> the entry says that the job has ended, or is removed
 * </pre>
 *
 * Of embedded servers, which live no longer than the attempt, its number is the fence. Remote ones
 * outlive it and serve others, so that they grant the fence, to reader 0 when it prepares.
 *
 * <p>A reader that is reset, or registers again, begins a new attempt: the entry names no servers,
 * the number grows, and what readers of older attempts say is ignored. It notes beside the cuts of
 * a job which checkpoints were given up, and at its end which are complete. Runs on the
 * coordinator's thread; the registry's files are handled on the coordinator's worker, in order. The
 * entry expires unless renewed, so that a lost JobManager leaves nothing that looks alive.
 */
final class ServiceEnumerator implements SplitEnumerator<ServiceSplit, Long> {
    static final Duration EXPIRY = Duration.ofSeconds(60);

    private static final Logger LOG = LoggerFactory.getLogger(ServiceEnumerator.class);

    private static final int REMEMBERED = 256;

    private final SplitEnumeratorContext<ServiceSplit> context;
    private final ServiceSpec spec;
    private final String run;
    private final ServiceRegistry registry;
    private final CutCatalog cuts;
    private final TreeMap<Integer, String> addresses = new TreeMap<>();
    private final TreeMap<Integer, Long> readers = new TreeMap<>();
    private final long highestFence;
    private volatile long fence;
    private volatile long granted;

    /** The fence of the entry before the servers of this attempt grant theirs. */
    private volatile long lastFence;

    private boolean serving;
    private boolean saved;

    /** The first checkpoint that was taken behind the saved model. */
    private long firstBehind = Long.MAX_VALUE;

    /** True once such a checkpoint is complete, so that no older one is gone back to. */
    private volatile boolean over;

    /** Guards the registry's entry, which nothing renews once {@link #close} has begun. */
    private final ReentrantLock entryLock = new ReentrantLock();

    /**
     * The entry that was written last, and those that may have been since: others are of another
     * JobManager.
     */
    private final Set<ServiceAddress> own = new HashSet<>();

    /** True once an entry has been written. */
    private boolean leads;

    /** The entry of another JobManager that was found last, and since when. */
    private ServiceAddress other;

    private long otherSince;

    private final LongSupplier nanoTime;
    private volatile boolean closed;

    /** True once the fence is above those of all attempts before. */
    private boolean begun;

    /** Checkpoints of the job, the last ones. */
    private final ConcurrentSkipListSet<Long> aborted = new ConcurrentSkipListSet<>();

    /**
     * The completed checkpoints, as the worker that notes them may end before it hears of the last.
     */
    private final ConcurrentSkipListSet<Long> complete = new ConcurrentSkipListSet<>();

    /** True if there is a checkpoint that the next attempt goes on from. */
    private boolean restores;

    /**
     * @param restored the fence of the checkpoint or savepoint that the job goes on from, if any
     * @param nanoTime a clock, as {@link System#nanoTime}
     */
    ServiceEnumerator(
            SplitEnumeratorContext<ServiceSplit> context,
            ServiceSpec spec,
            String run,
            ServiceRegistry registry,
            CutCatalog cuts,
            OptionalLong restored,
            LongSupplier nanoTime) {
        this.context = context;
        this.spec = spec;
        this.run = run;
        this.registry = registry;
        this.cuts = cuts;
        this.restores = restored.isPresent();
        this.highestFence = restored.orElse(0);
        this.nanoTime = nanoTime;
        this.fence = Math.max(highestFence + 1, System.currentTimeMillis());
    }

    @Override
    public void start() {
        context.callAsync(
                () -> registry.read(0).map(ServiceAddress::fence).orElse(0L), this::begin);
        Duration renewal = EXPIRY.dividedBy(3);
        context.callAsync(
                () -> null, (nothing, failure) -> renew(), renewal.toMillis(), renewal.toMillis());
    }

    /**
     * Lets readers begin, above the fence of the last entry: another machine may have led that
     * attempt, whose clock was ahead.
     */
    private void begin(Long last, Throwable failure) {
        if (failure != null) {
            throw new IllegalStateException(
                    "cannot read the service registry under model-root: " + registry.location(),
                    failure);
        }
        begun = true;
        fence = Math.max(fence, last + 1);
        lastFence = last;
        renew();
        readers.replaceAll((subtask, before) -> fence);
        readers.keySet().forEach(this::begin);
    }

    private void begin(int subtask) {
        context.sendEventToSourceReader(subtask, new ServiceEvent.Start(fence));
    }

    private void renew() {
        if (begun && !closed) {
            publish(this::warn);
        }
    }

    @Override
    public void addReader(int subtask) {
        if (readers.containsKey(subtask)) {
            newAttempt();
        }
        readers.put(subtask, fence);
        if (begun) {
            begin(subtask);
        }
    }

    @Override
    public void addSplitsBack(List<ServiceSplit> splits, int subtask) {
        if (!readers.isEmpty()) {
            newAttempt();
        }
    }

    private void newAttempt() {
        readers.clear();
        addresses.clear();
        fence++;
        saved = false;
        firstBehind = Long.MAX_VALUE;
        over = false;
        serving = false;
        renew();
    }

    /**
     * Writes that the job has ended, unless the entry is that of a later attempt, which another
     * JobManager leads. Flink does not tell whether the job is over: another enumerator may be
     * about to go on from its cuts, so that who would remove these has to wait for it. Where none
     * can be needed the entry is removed.
     *
     * @param keeps whether there is something to go on from
     */
    private void endEntry(boolean keeps) throws IOException {
        Optional<ServiceAddress> there = registry.read(0);
        boolean isAway = there.isEmpty() && keeps && leads; // as while it is replaced
        if (!isOwn(there) && !isAway) {
            return;
        }
        if (keeps) {
            long over = System.currentTimeMillis() - EXPIRY.toMillis(); // by any clock
            long last = spec.embedded() ? Math.max(granted, fence) : lastFence;
            write(ServiceAddress.ended(run, last, over));
        } else {
            registry.remove();
        }
    }

    private boolean isOwn(Optional<ServiceAddress> there) {
        return there.filter(own::contains).isPresent();
    }

    /** Returns whether there are cuts, of this run or of one that it may have begun as. */
    private boolean hasCuts() {
        try {
            return !cuts.runs().isEmpty();
        } catch (RuntimeException e) { // file systems of plug-ins throw their own
            LOG.warn("Runs beside {} cannot be listed", run, e);
            return true;
        }
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (!(event instanceof ServiceEvent message) || message.fence() != fence) {
            LOG.info("Ignored of reader {}, fence {}: {}", subtask, fence, event);
            return;
        }
        if (message instanceof ServiceEvent.Started started) {
            addresses.put(subtask, started.address());
            if (addresses.size() == spec.readers()) {
                context.sendEventToSourceReader(
                        0, new ServiceEvent.Prepare(fence, servers(), restores));
            }
        } else if (message instanceof ServiceEvent.Prepared prepared) {
            granted = prepared.granted();
            lastFence = granted;
            noteAborted(Set.copyOf(aborted));
            serving = true;
            publish(this::refuse);
        } else if (message instanceof ServiceEvent.Failed failed) {
            // What is thrown on the coordinator's thread fails the job.
            throw new PsException(failed.code(), failed.reason());
        } else if (message instanceof ServiceEvent.Saved) {
            saved = true;
            serving = false;
            renew();
            for (int reader : readers.keySet()) {
                context.sendEventToSourceReader(reader, new ServiceEvent.End(fence));
            }
        }
    }

    private List<String> servers() {
        return spec.embedded() ? new ArrayList<>(addresses.values()) : spec.servers().remote();
    }

    private void publish(Consumer<Throwable> ended) {
        long expiry = System.currentTimeMillis() + EXPIRY.toMillis();
        ServiceAddress entry =
                serving
                        ? new ServiceAddress(run, granted, servers(), expiry)
                        : new ServiceAddress(
                                run, spec.embedded() ? fence : lastFence, List.of(), expiry);
        context.callAsync(
                () -> {
                    renew(entry);
                    return null;
                },
                (nothing, failure) -> ended.accept(failure));
    }

    private void renew(ServiceAddress entry) throws IOException {
        entryLock.lock();
        try {
            Optional<ServiceAddress> there = registry.read(0);
            if (closed) {
                return;
            }
            if (there.isEmpty() || isOwn(there) || replaces(there.get(), entry)) {
                write(entry);
            } else {
                LOG.warn("{} is not renewed: another JobManager leads this job", there.get());
            }
        } finally {
            entryLock.unlock();
        }
    }

    /**
     * Returns whether an entry may replace that of another JobManager, which may be of the same
     * fence where servers are remote. Then who came last leads: who led before finds the other's.
     * It may also be the last word of one that is gone, which nobody renews.
     */
    private boolean replaces(ServiceAddress there, ServiceAddress entry) {
        long now = nanoTime.getAsLong();
        if (!there.equals(other)) {
            other = there;
            otherSince = now;
        }
        return there.hasEnded()
                || there.fence() < entry.fence()
                || there.fence() == entry.fence() && !leads
                || now - otherSince >= EXPIRY.toNanos() / 2;
    }

    private void write(ServiceAddress entry) throws IOException {
        own.add(entry);
        registry.publish(entry);
        own.retainAll(Set.of(entry));
        leads = true;
    }

    /** Logs a failure: the entry is renewed often enough for some renewals to fail. */
    private void warn(Throwable failure) {
        if (failure != null) {
            LOG.warn("{} was not renewed", registry.location(), failure);
        }
    }

    private void refuse(Throwable failure) {
        if (failure != null) {
            throw new IllegalStateException(
                    "cannot write the service registry under model-root: " + registry.location(),
                    failure);
        }
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public Long snapshotState(long checkpointId) {
        if (saved) {
            firstBehind = Math.min(firstBehind, checkpointId);
        }
        return fence;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        restores = true;
        over |= checkpointId >= firstBehind;
        remember(complete, checkpointId);
    }

    private static void remember(NavigableSet<Long> checkpoints, long checkpoint) {
        checkpoints.add(checkpoint);
        if (checkpoints.size() > REMEMBERED) {
            checkpoints.pollFirst();
        }
    }

    /**
     * Marks the cut of an aborted checkpoint: it may be on storage, and tasks need not hear of the
     * abort. A task that is about to go may still put such a cut there. The cut is therefore marked
     * again when no task of the attempt before is left and no worker of the next one has come, and
     * when the job is over.
     */
    @Override
    public void notifyCheckpointAborted(long checkpointId) {
        remember(aborted, checkpointId);
        noteAborted(Set.of(checkpointId));
    }

    private void noteAborted(Set<Long> checkpoints) {
        context.callAsync(
                () -> {
                    cuts.markAborted(run, checkpoints);
                    return null;
                },
                (nothing, failure) -> {
                    if (failure != null) {
                        LOG.warn("Cuts of aborted checkpoints {} are left", checkpoints, failure);
                    }
                });
    }

    /**
     * Ends the service. No task of the job is left, unless another JobManager goes on with it. A
     * cut without a manifest gets none any more, and nobody notes what became of a checkpoint. What
     * the storage refuses is logged: Flink would not say it. The entry is written first and last:
     * the rest may take as long as others watch an entry.
     */
    @Override
    public void close() {
        closed = true;
        endEntryIfPossible();
        tidyCuts();
        if (!over) {
            endEntryIfPossible();
        }
    }

    private void tidyCuts() {
        tidy(() -> cuts.markAborted(run, aborted));
        tidy(() -> cuts.markComplete(run, complete));
        long last = spec.embedded() ? Math.max(granted, highestFence) : lastFence;
        tidy(() -> cuts.sweep(run, last + 1));
    }

    private void endEntryIfPossible() {
        boolean keeps = !over && hasCuts(); // before the lock: it takes a while
        if (!hasEntryLock()) {
            LOG.warn("{} is left: it is still being written", registry.location());
            return;
        }
        try {
            endEntry(keeps);
        } catch (IOException | RuntimeException e) { // file systems of plug-ins throw their own
            LOG.warn("{} is left as it is", registry.location(), e);
        } finally {
            entryLock.unlock();
        }
    }

    /** Takes the lock, unless a write hangs for long: Flink may wait for the service's end. */
    private boolean hasEntryLock() {
        try {
            return entryLock.tryLock(RenewedEntry.HUNG.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs a step; if it fails, logs that, so that the next steps still run. */
    private void tidy(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) { // file systems of plug-ins throw their own
            LOG.warn("Cuts of run {} are left as they are", run, e);
        }
    }
}
