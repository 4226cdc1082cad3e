package io.github.flinkps.flink.service;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.cut.CutCatalog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the jobs that train a model, for who removes what they need. The time of an entry of the
 * registry is of the machine that leads its job, whose clock may be wrong by any time. So an entry
 * is watched until it changes, or for {@link ServiceEnumerator#EXPIRY}, unless it seems to have
 * been renewed just now. So is one that says that its job has ended: Flink says the same to a
 * JobManager whose job goes on under another. It is removed when it has been watched for so long.
 * That a run has no entry which has cuts to go on from, or had one in a look before, must be the
 * same in two looks: on some storage an entry is away while it is replaced. One thread at a time;
 * calls block on the file system and on that.
 */
public final class RunningJobs {
    private static final Logger LOG = LoggerFactory.getLogger(RunningJobs.class);
    private static final long PAUSE_MILLIS = 1_000;

    private final String directory;
    private final EntryWatch watch;
    private final Pause pause;

    /** Waits for a time, which tests pass over. */
    interface Pause {
        void sleep(long millis) throws InterruptedException;
    }

    /**
     * @param directory of the model, below the model root
     */
    public RunningJobs(String directory) {
        this(directory, System::nanoTime, System::currentTimeMillis, Thread::sleep);
    }

    RunningJobs(String directory, LongSupplier nanoTime, LongSupplier wallMillis, Pause pause) {
        this.directory = directory;
        this.watch = new EntryWatch(nanoTime, wallMillis);
        this.pause = pause;
    }

    /**
     * Returns the entries of jobs that run, and those that outlive their jobs.
     *
     * @throws InterruptedIOException if the thread is interrupted before it can be told; it stays
     *     interrupted
     * @throws IOException if it cannot be told
     */
    public List<ServiceAddress> find() throws IOException {
        Set<String> known = runsWithCuts();
        Set<String> awayBefore = Set.of();
        boolean waited = false;
        while (true) {
            List<ServiceAddress> entries = ServiceRegistry.all(directory);
            List<ServiceAddress> alive = watch.alive(entries);
            List<ServiceAddress> doubtful = entries.stream().filter(watch::isDoubtful).toList();
            Set<String> there =
                    entries.stream().map(ServiceAddress::run).collect(Collectors.toSet());
            known.addAll(there);
            Set<String> away = new HashSet<>(known);
            away.removeAll(there);
            if (doubtful.isEmpty() && awayBefore.containsAll(away) && removeEnded(entries)) {
                return alive.stream().filter(entry -> !isOfEnded(entry)).toList();
            }
            awayBefore = away;
            if (!waited && !doubtful.isEmpty()) {
                LOG.warn(
                        "Waiting up to {} s for a sign of the jobs of these runs of {}: {}",
                        ServiceEnumerator.EXPIRY.toSeconds(),
                        directory,
                        doubtful.stream().map(ServiceAddress::run).toList());
                waited = true;
            }
            try {
                pause.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException(
                        "interrupted before it was known whether jobs train " + directory);
            }
        }
    }

    /** Removes the entries of jobs that have ended; returns false where one has come back. */
    private boolean removeEnded(List<ServiceAddress> entries) throws IOException {
        for (ServiceAddress entry : entries) {
            if (isOfEnded(entry)) {
                ServiceRegistry registry = new ServiceRegistry(directory, entry.run());
                Optional<ServiceAddress> there = registry.read(Long.MIN_VALUE);
                if (there.filter(now -> !now.equals(entry)).isPresent()) {
                    return false;
                }
                registry.remove();
            }
        }
        return true;
    }

    private static boolean isOfEnded(ServiceAddress entry) {
        return entry.hasEnded() && !entry.outlivesJob();
    }

    /** Returns the runs that there is something to go on from. */
    private Set<String> runsWithCuts() throws IOException {
        try {
            return new HashSet<>(new CutCatalog(new FlinkModelStorage(), directory).runs());
        } catch (PsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
