package io.github.flinkps.flink.service;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry in the registry of a job without a {@link ServiceEnumerator}: a thread renews it until
 * it is closed, so that others see that the job runs. May be used by several threads; calls block
 * on the file system.
 */
final class RenewedEntry implements AutoCloseable {
    /** The longest that the end of a job waits for a write. */
    static final Duration HUNG = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(RenewedEntry.class);

    private final String run;
    private final ServiceRegistry registry;
    private final ScheduledExecutorService thread;
    private long fence;
    private List<String> addresses;
    private volatile boolean closed;

    /**
     * @param directory of the model
     * @param period of the renewals
     */
    RenewedEntry(String directory, String run, Duration period) {
        this.run = run;
        this.registry = new ServiceRegistry(directory, run);
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        work -> {
                            Thread made = new Thread(work, "flink-ps-renew-entry");
                            made.setDaemon(true);
                            return made;
                        });
        thread.scheduleWithFixedDelay(
                this::renew, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Writes the entry, which is renewed from then on; does nothing once this is closed.
     *
     * @param addresses of the servers, none before they can be asked
     */
    synchronized void publish(long fence, List<String> addresses) throws IOException {
        this.fence = fence;
        this.addresses = List.copyOf(addresses);
        write();
    }

    private synchronized void renew() {
        try {
            if (addresses != null) {
                write();
            }
        } catch (IOException | RuntimeException e) { // file systems of plug-ins throw their own
            LOG.warn(
                    "{} was not renewed; others may take its job for lost", registry.location(), e);
        }
    }

    private void write() throws IOException {
        if (!closed) {
            long expiry = System.currentTimeMillis() + ServiceEnumerator.EXPIRY.toMillis();
            registry.publish(new ServiceAddress(run, fence, addresses, expiry));
        }
    }

    /**
     * Removes the entry and ends the thread, or logs that it is left until it is over; idempotent.
     * Waits no longer than {@link #HUNG} for storage that hangs.
     */
    @Override
    public void close() {
        close(false, HUNG);
    }

    /**
     * Closes this as {@link #close()} does.
     *
     * @param goesOn whether another run may do the job anew: the entry stays, and says that this
     *     one has ended, so that who would remove what it begins with waits for the other
     */
    void close(boolean goesOn, Duration most) {
        if (closed) {
            return;
        }
        closed = true;
        thread.execute(() -> end(goesOn));
        thread.shutdown();
        try {
            if (!thread.awaitTermination(most.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("{} was not removed within {}", registry.location(), most);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void end(boolean goesOn) {
        try {
            if (goesOn && addresses != null) {
                long over = System.currentTimeMillis() - ServiceEnumerator.EXPIRY.toMillis();
                registry.publish(ServiceAddress.ended(run, fence, over));
            } else {
                registry.remove();
            }
        } catch (IOException | RuntimeException e) { // file systems of plug-ins throw their own
            LOG.warn("{} was not removed; its job seems to run for a while", run, e);
        }
    }
}
