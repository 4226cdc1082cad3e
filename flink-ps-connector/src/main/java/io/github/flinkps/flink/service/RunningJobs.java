package io.github.flinkps.flink.service;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.cut.CutCatalog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * JobManager whose job goes on under another. Those of jobs that do not run are removed. That a run
 * has no entry which has cuts to go on from, or had one in a look before, must be the same in two
 * looks: on some storage an entry is away while it is replaced. One thread at a time; calls block
 * on the file system and on that.
 */
public final class RunningJobs {
    private static final Logger LOG = LoggerFactory.getLogger(RunningJobs.class);
    private static final long PAUSE_MILLIS = 1_000;

    private final String directory;
    private final EntryWatch watch;
    private final Pause pause;

    /** The runs that have cuts, or had an entry in a look. */
    private Set<String> known = Set.of();

    private Set<String> awayBefore = Set.of();
    private boolean warned;

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
        return find(List.of(this), pause).get(directory);
    }

    /**
     * Returns the entries of {@link #find()} of several models, for all of which it waits at once:
     * what it returns of any is as fresh as of the last.
     *
     * @param directories of the models
     */
    public static Map<String, List<ServiceAddress>> find(Collection<String> directories)
            throws IOException {
        return find(directories.stream().map(RunningJobs::new).toList(), Thread::sleep);
    }

    static Map<String, List<ServiceAddress>> find(List<RunningJobs> models, Pause pause)
            throws IOException {
        for (RunningJobs jobs : models) {
            jobs.begin();
        }
        while (true) {
            Map<String, List<ServiceAddress>> found = new HashMap<>();
            for (RunningJobs jobs : models) {
                jobs.look().ifPresent(entries -> found.put(jobs.directory, entries));
            }
            if (found.size() == models.size()) {
                return found;
            }
            try {
                pause.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException(
                        "interrupted before it was known whether jobs train "
                                + models.stream().map(jobs -> jobs.directory).toList());
            }
        }
    }

    private void begin() throws IOException {
        known = runsWithCuts();
        awayBefore = Set.of();
        warned = false;
    }

    /** Looks once, and returns the entries, or nothing where it cannot be told yet. */
    private Optional<List<ServiceAddress>> look() throws IOException {
        List<ServiceAddress> entries = ServiceRegistry.all(directory);
        List<ServiceAddress> alive = watch.alive(entries);
        List<ServiceAddress> doubtful = entries.stream().filter(watch::isDoubtful).toList();
        Set<String> there = entries.stream().map(ServiceAddress::run).collect(Collectors.toSet());
        known.addAll(there);
        Set<String> away = new HashSet<>(known);
        away.removeAll(there);
        boolean seenAway = awayBefore.containsAll(away);
        awayBefore = away;
        List<ServiceAddress> running =
                alive.stream().filter(entry -> entry.outlivesJob() || !entry.hasEnded()).toList();
        if (doubtful.isEmpty() && seenAway && removeOthers(entries, running)) {
            return Optional.of(running);
        }
        if (!warned && !doubtful.isEmpty()) {
            LOG.warn(
                    "Waiting up to {} s for a sign of the jobs of these runs of {}: {}",
                    ServiceEnumerator.EXPIRY.toSeconds(),
                    directory,
                    doubtful.stream().map(ServiceAddress::run).toList());
            warned = true;
        }
        return Optional.empty();
    }

    /** Removes the entries of jobs that do not run; returns false where one has changed. */
    private boolean removeOthers(List<ServiceAddress> entries, List<ServiceAddress> running)
            throws IOException {
        for (ServiceAddress entry : entries) {
            if (!running.contains(entry)
                    && !new ServiceRegistry(directory, entry.run()).remove(entry)) {
                return false;
            }
        }
        return true;
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
