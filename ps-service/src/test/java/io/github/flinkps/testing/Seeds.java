package io.github.flinkps.testing;

import io.github.flinkps.common.KeyHash;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/**
 * Seeds of runs in a row. They are far from each other, because generators of the JDK begin alike
 * with neighbours: runs that do would draw the same faults, over and over.
 */
public final class Seeds {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Seeds() {}

    /** The seed of a run, given that of run 0. */
    public static long nth(long first, int run) {
        return run == 0 ? first : KeyHash.mix64(first + run);
    }

    /**
     * Does something with so many seeds, from that of {@code -Dsimulation.seed=S} or from one that
     * is always another; an error names the seed that leads to it. By {@code
     * -Dsimulation.threads=N} threads, else one.
     */
    public static void forEach(String what, int runs, LongConsumer run) {
        Long given = Long.getLong("simulation.seed");
        long first = given == null ? System.nanoTime() : given;
        System.out.println(
                "simulation of " + what + ": " + runs + " runs from -Dsimulation.seed=" + first);
        AtomicInteger next = new AtomicInteger();
        AtomicReference<AssertionError> failed = new AtomicReference<>();
        AtomicLong busyNanos = new AtomicLong();
        Runnable work =
                () -> {
                    long begun = THREADS.getCurrentThreadCpuTime();
                    while (next.get() < runs && failed.get() == null) {
                        long seed = nth(first, next.getAndIncrement());
                        try {
                            run.accept(seed);
                        } catch (RuntimeException | AssertionError e) {
                            failed.set(
                                    new AssertionError(
                                            "failed with -Dsimulation.seed="
                                                    + seed
                                                    + ": "
                                                    + e.getMessage(),
                                            e));
                        }
                    }
                    busyNanos.addAndGet(THREADS.getCurrentThreadCpuTime() - begun);
                };
        long begun = System.nanoTime();
        inThreads(work, Integer.getInteger("simulation.threads", 1));
        if (failed.get() != null) {
            throw failed.get();
        }
        System.out.printf(
                Locale.ROOT,
                "simulation of %s: %.0f runs a minute, %.0f a minute of processor time%n",
                what,
                next.get() / minutes(System.nanoTime() - begun),
                next.get() / minutes(busyNanos.get()));
    }

    private static void inThreads(Runnable work, int threads) {
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            Thread other = new Thread(work, "seeds-" + i);
            other.start();
            others.add(other);
        }
        work.run();
        for (Thread other : others) {
            try {
                other.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static double minutes(long nanos) {
        return nanos / 60e9;
    }
}
