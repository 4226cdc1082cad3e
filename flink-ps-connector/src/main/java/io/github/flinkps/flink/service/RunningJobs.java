package io.github.flinkps.flink.service;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.cut.CutCatalog;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the jobs that train a model, for who removes what they need. The time of an entry of the
 * registry is of the machine that leads its job, whose clock may be wrong by any time. So an entry
 * is watched until it changes, or for {@link ServiceEnumerator#EXPIRY}, unless its job has ended or
 * it seems to have been renewed just now. That a run has none which has cuts to go on from, or had
 * one in a look before, must be the same in two looks: an entry is away for a moment while a job
 * begins anew, and on some storage while it is replaced. One thread at a time; calls block on the
 * file system and on that.
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
     * Returns the entries of jobs that run, and those that outlive their jobs. A thread that is
     * interrupted gets those too that might run.
     *
     * @throws IOException if it cannot be told
     */
    public List<ServiceAddress> find() throws IOException {
        Set<String> known = runsWithCuts();
        Set<String> awayBefore = Set.of();
        boolean waited = false;
        while (true) {
            List<ServiceAddress> entries = running();
            List<ServiceAddress> alive = watch.alive(entries);
            List<ServiceAddress> doubtful = entries.stream().filter(watch::isDoubtful).toList();
            Set<String> there =
                    entries.stream().map(ServiceAddress::run).collect(Collectors.toSet());
            known.addAll(there);
            Set<String> away = new HashSet<>(known);
            away.removeAll(there);
            if (doubtful.isEmpty() && awayBefore.containsAll(away)) {
                return alive;
            }
            awayBefore = away;
            if (!waited && !doubtful.isEmpty()) {
                LOG.info("Waiting whether the jobs of these entries renew them: {}", doubtful);
                waited = true;
            }
            try {
                pause.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return entries;
            }
        }
    }

    /** Returns the runs that there is something to go on from. */
    private Set<String> runsWithCuts() throws IOException {
        try {
            return new HashSet<>(new CutCatalog(new FlinkModelStorage(), directory).runs());
        } catch (PsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the entries of all jobs that have not said that they end. */
    private List<ServiceAddress> running() throws IOException {
        return ServiceRegistry.all(directory).stream()
                .filter(entry -> entry.outlivesJob() || !entry.hasEnded())
                .toList();
    }
}
