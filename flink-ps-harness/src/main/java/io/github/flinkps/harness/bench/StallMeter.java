package io.github.flinkps.harness.bench;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects whether the machine, or this process, stood still, by how late a thread comes that sleeps
 * for a millisecond at a time (after jHiccup). Its wait for a turn on a busy core is some
 * milliseconds. If it comes much later nobody's steps went on meanwhile.
 */
final class StallMeter implements AutoCloseable {
    private static final long SLEEP_NANOS = 1_000_000;

    private final AtomicLong longestNanos = new AtomicLong();
    private final Thread thread = new Thread(this::run, "flink-ps-bench-stalls");
    private volatile boolean closed;

    StallMeter() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long before = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(SLEEP_NANOS);
            long now = System.nanoTime();
            longestNanos.accumulateAndGet(now - before - SLEEP_NANOS, Math::max);
            before = now;
        }
    }

    /** Returns the most milliseconds it came late since the last call; any thread. */
    double takeLongestMillis() {
        return longestNanos.getAndSet(0) / 1e6;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
