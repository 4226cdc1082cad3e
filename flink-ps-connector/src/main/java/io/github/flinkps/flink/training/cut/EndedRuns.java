package io.github.flinkps.flink.training.cut;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutSummary;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what runs of a model whose jobs have ended have left of checkpoints that were given up. A
 * job may only seem to have ended, while it goes from one JobManager to another. It may then go on
 * from a checkpoint of which Flink could not tell whether it was noted. So what is young stays, and
 * so does what is of a run whose entry in the registry is young. A removal that has begun goes on
 * at any time, and an entry that is not young goes too. Blocks its caller with input and output;
 * may be interrupted at any time, and called by several jobs.
 */
final class EndedRuns {
    /** Another JobManager has taken a job over by then, if any does. */
    static final Duration GRACE = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(EndedRuns.class);

    private final String directory;
    private final CutCatalog cuts;
    private final Clock clock;

    /**
     * @param directory of the model
     * @param clock by which cuts and entries of the registry have their times
     */
    EndedRuns(ModelStorage storage, String directory, Clock clock) {
        this.directory = directory;
        this.cuts = new CutCatalog(storage, directory);
        this.clock = clock;
    }

    /**
     * Removes it, of a run that cannot be read nothing.
     *
     * @param own run, which is left alone
     * @throws IOException if it cannot be told what runs there are
     */
    void removeLeft(String own) throws IOException {
        Instant before = clock.instant().minus(GRACE);
        try {
            boolean keepsOld = isAnyBeginning(own, before);
            Set<String> entries = Set.copyOf(ServiceRegistry.runs(directory));
            Set<String> runs = new TreeSet<>(cuts.runs());
            runs.addAll(entries);
            for (String run : runs) {
                if (!run.equals(own) && !Thread.currentThread().isInterrupted()) {
                    removeOf(run, before, keepsOld, entries.contains(run));
                }
            }
        } catch (PsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Returns whether a job trains the model that may have begun as a cut of any other run.
     *
     * @throws IOException if it cannot be told
     */
    private boolean isAnyBeginning(String own, Instant before) throws IOException {
        for (String run : ServiceRegistry.runs(directory)) {
            if (!run.equals(own)
                    && entry(run, before)
                            .filter(entry -> !entry.outlivesJob() && !entry.hasEnded())
                            .isPresent()
                    && cuts.marked(run, CutSummary.Status.COMPLETE).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private Optional<ServiceAddress> entry(String run, Instant before) throws IOException {
        return new ServiceRegistry(directory, run).read(before.toEpochMilli());
    }

    private void removeOf(String run, Instant before, boolean keepsOld, boolean hasEntry) {
        try {
            boolean keeps = keepsOld || entry(run, before).isPresent();
            List<CutId> left = cuts.abortedBefore(run, keeps ? Instant.EPOCH : before);
            if (!left.isEmpty()) {
                cuts.removeUnneeded(run, left);
            }
            if (!keeps && hasEntry && entry(run, before).isEmpty()) {
                new ServiceRegistry(directory, run).remove(); // which nobody renews any more
            }
        } catch (RuntimeException | IOException e) { // whatever a plugged-in file system throws
            LOG.info("Cuts of run {} that were given up are left", run, e);
        }
    }
}
