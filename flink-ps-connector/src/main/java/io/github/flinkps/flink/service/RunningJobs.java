package io.github.flinkps.flink.service;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the jobs that train a model, for who removes what they need. An entry of the registry whose
 * time is over by the clock of this machine may be renewed by a machine whose clock is behind: it
 * is watched until it changes, or for {@link ServiceEnumerator#EXPIRY}. One thread at a time; calls
 * block on the file system and on that.
 */
public final class RunningJobs {
    /** Clocks of two machines are no further apart: an entry that is older was left behind. */
    public static final Duration MOST_APART = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(RunningJobs.class);
    private static final long PAUSE_MILLIS = 1_000;

    private final String directory;
    private final EntryWatch watch;
    private final LongSupplier wallMillis;
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
        this.wallMillis = wallMillis;
        this.pause = pause;
    }

    /**
     * Returns the entries of jobs that run, and those that outlive their jobs. A thread that is
     * interrupted gets those too that might run.
     *
     * @throws IOException if it cannot be told
     */
    public List<ServiceAddress> find() throws IOException {
        for (boolean first = true; ; first = false) {
            long since = wallMillis.getAsLong() - MOST_APART.toMillis();
            List<ServiceAddress> entries = ServiceRegistry.training(directory, since);
            List<ServiceAddress> alive = watch.alive(entries);
            List<ServiceAddress> doubtful = entries.stream().filter(watch::isDoubtful).toList();
            if (doubtful.isEmpty()) {
                return alive;
            }
            if (first) {
                LOG.info("Waiting whether the jobs of these entries renew them: {}", doubtful);
            }
            try {
                pause.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return entries;
            }
        }
    }
}
