package io.github.flinkps.flink.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Two workers of which the first takes {@link #TIMES} times as long for a mini-batch as the other.
 * Measures how far one of them is ahead: a worker that reads at clock c what the other has sent
 * before its clock c - s finds that it has begun at least c - s mini-batches. Run by the workers'
 * threads.
 */
public final class SkewedWorkers implements Runnable {
    /** The factor by which one of them is slower. */
    public static final int TIMES = 100;

    private static final long FAST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final String SLOW = "(1/2)";

    /**
     * The rows that are measured: at the end nobody waits for a worker that has no rows any more.
     */
    private final int measured;

    private final AtomicIntegerArray begun = new AtomicIntegerArray(2);
    private final AtomicInteger lead = new AtomicInteger();

    /**
     * @param measured mini-batches of each worker, the first ones
     */
    public SkewedWorkers(int measured) {
        this.measured = measured;
    }

    @Override
    public void run() {
        int worker = Thread.currentThread().getName().contains(SLOW) ? 0 : 1;
        int clock = begun.getAndIncrement(worker);
        if (clock < measured) {
            lead.accumulateAndGet(clock - begun.get(1 - worker), Math::max);
        }
        long nanos = worker == 0 ? TIMES * FAST_NANOS : FAST_NANOS;
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (worker == 0) {
                LockSupport.parkNanos(left);
            } else {
                Thread.onSpinWait(); // a thread that sleeps so shortly sleeps longer
            }
        }
    }

    /** Mini-batches that a worker has begun. */
    public int begun(int worker) {
        return begun.get(worker);
    }

    /** The greatest clock of a worker beyond what the other had begun by then. */
    public int lead() {
        return lead.get();
    }
}
