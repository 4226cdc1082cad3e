package io.github.flinkps.flink.training.cut;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what runs of a model whose jobs have ended have left of checkpoints that were given up. A
 * job may only seem to have ended, while it goes from one JobManager to another. It may then go on
 * from a checkpoint of which Flink could not tell whether it was noted. So a cut goes when {@link
 * #GRACE} has passed between two looks by this process's own clock, and both have found it given up
 * and the run's entry in the registry the same: who leads a job has one there and renews it, also
 * while no server is. Such an entry goes too. A removal that has begun goes on at once. Blocks its
 * caller with input and output; may be interrupted at any time. One thread at a time, but several
 * jobs may do it together.
 */
final class EndedRuns {
    /** Another JobManager has taken a job over by then, if any does. */
    static final Duration GRACE = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(EndedRuns.class);

    private final String directory;
    private final CutCatalog cuts;
    private final LongSupplier nanoTime;
    private Map<String, Seen> seen = Map.of();
    private long nextLook;

    /** A run as it was when it was looked at last. */
    private record Seen(Optional<ServiceAddress> entry, Set<CutId> aborted) {}

    /**
     * @param directory of the model
     * @param nanoTime a clock, as {@link System#nanoTime}
     */
    EndedRuns(ModelStorage storage, String directory, LongSupplier nanoTime) {
        this.directory = directory;
        this.cuts = new CutCatalog(storage, directory);
        this.nanoTime = nanoTime;
        this.nextLook = nanoTime.getAsLong();
    }

    /**
     * Looks at all runs and removes what is left, unless the last look is younger than {@link
     * #GRACE}; of a run that cannot be read nothing.
     *
     * @param own run, which is left alone
     * @throws IOException if it cannot be told what runs there are
     */
    void removeLeft(String own) throws IOException {
        if (nanoTime.getAsLong() - nextLook < 0) {
            return;
        }
        Map<String, Seen> found = new HashMap<>();
        try {
            Map<String, ServiceAddress> entries = entries(own);
            boolean keepsOld = isAnyBeginning(entries);
            Set<String> runs = new TreeSet<>(cuts.runs());
            runs.addAll(entries.keySet());
            runs.remove(own);
            for (String run : runs) {
                if (!Thread.currentThread().isInterrupted()) {
                    Optional<ServiceAddress> entry = Optional.ofNullable(entries.get(run));
                    removeOf(run, entry, keepsOld, found);
                }
            }
            seen = found;
        } catch (PsException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            nextLook = nanoTime.getAsLong() + GRACE.toNanos();
        }
    }

    private Map<String, ServiceAddress> entries(String own) throws IOException {
        Map<String, ServiceAddress> entries = new TreeMap<>();
        ServiceRegistry.all(directory).forEach(entry -> entries.put(entry.run(), entry));
        entries.remove(own);
        return entries;
    }

    private Optional<ServiceAddress> entry(String run) throws IOException {
        return new ServiceRegistry(directory, run).read(Long.MIN_VALUE);
    }

    /** Returns whether a job trains the model that may have begun as a cut of any other run. */
    private boolean isAnyBeginning(Map<String, ServiceAddress> entries) {
        return entries.values().stream()
                .anyMatch(
                        entry ->
                                !entry.outlivesJob()
                                        && !entry.hasEnded()
                                        && !isUnchanged(entry.run(), Optional.of(entry))
                                        && cuts.marked(entry.run(), CutSummary.Status.COMPLETE)
                                                .isEmpty());
    }

    private boolean isUnchanged(String run, Optional<ServiceAddress> entry) {
        return seen.containsKey(run) && seen.get(run).entry().equals(entry);
    }

    private void removeOf(
            String run, Optional<ServiceAddress> entry, boolean keepsOld, Map<String, Seen> found) {
        try {
            Set<CutId> aborted = Set.copyOf(cuts.marked(run, CutSummary.Status.ABORTED));
            found.put(run, new Seen(entry, aborted));
            Set<CutId> left = new TreeSet<>(cuts.halfRemoved(run));
            boolean isLeft =
                    !keepsOld
                            && isUnchanged(run, entry)
                            && entry.filter(ServiceAddress::outlivesJob).isEmpty()
                            && entry(run).equals(entry); // the look may have taken long
            if (isLeft) {
                seen.get(run).aborted().stream().filter(aborted::contains).forEach(left::add);
            }
            if (!left.isEmpty()) {
                cuts.removeUnneeded(run, left);
            }
            if (isLeft
                    && entry.isPresent() // and nobody renews it any more
                    && new ServiceRegistry(directory, run).remove(entry.get())) {
                found.put(run, new Seen(Optional.empty(), aborted));
            }
        } catch (RuntimeException | IOException e) { // whatever a plugged-in file system throws
            LOG.info("Cuts of run {} that were given up are left", run, e);
        }
    }
}
