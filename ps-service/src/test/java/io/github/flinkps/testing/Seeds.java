package io.github.flinkps.testing;

import io.github.flinkps.common.KeyHash;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
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
     * is always another; an error names the seed that leads to it.
     */
    public static void forEach(String what, int runs, LongConsumer run) {
        Long given = Long.getLong("simulation.seed");
        long first = given == null ? System.nanoTime() : given;
        System.out.println(
                "simulation of " + what + ": " + runs + " runs from -Dsimulation.seed=" + first);
        long begun = System.nanoTime();
        long begunBusy = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < runs; i++) {
            long seed = nth(first, i);
            try {
                run.accept(seed);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("failed with -Dsimulation.seed=" + seed, e);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "simulation of %s: %.0f runs a minute, %.0f a minute of processor time%n",
                what,
                runs / minutes(System.nanoTime() - begun),
                runs / minutes(THREADS.getCurrentThreadCpuTime() - begunBusy));
    }

    private static double minutes(long nanos) {
        return nanos / 60e9;
    }
}
