package io.github.flinkps.flink.testing;

import java.io.Serializable;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fails tasks of this process: some calls, drawn by a seed that the test prints, after a checkpoint
 * has been completed, so that each failure has a checkpoint of its own to go on from. Any thread.
 */
public final class TestingFailures implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Map<String, Draws> ALL = new ConcurrentHashMap<>();
    private static final int MOST_CALLS = 50;

    private final String name;

    private static final class Draws {
        private final Random random;
        private final int most;
        private final AtomicInteger calls = new AtomicInteger();
        private final Set<Long> completed = new ConcurrentSkipListSet<>();
        private final Set<Long> restored = new ConcurrentSkipListSet<>();
        private int happened;
        private int completedBefore;
        private int callsLeft = -1;
        private volatile long pauseMillis;

        Draws(long seed, int most) {
            this.random = new Random(seed);
            this.most = most;
        }

        synchronized boolean fails() {
            if (happened == most || completed.size() == completedBefore) {
                return false;
            }
            callsLeft = callsLeft < 0 ? random.nextInt(MOST_CALLS) : callsLeft - 1;
            if (callsLeft > 0) {
                return false;
            }
            happened++;
            completedBefore = completed.size();
            callsLeft = -1;
            return true;
        }

        synchronized int happened() {
            return happened;
        }
    }

    private TestingFailures(String name) {
        this.name = name;
    }

    /** At most so many. */
    public static TestingFailures some(String name, long seed, int most) {
        ALL.put(name, new Draws(seed, most));
        return new TestingFailures(name);
    }

    /** Makes each call take so long, so that a job is still there when it is to be stopped. */
    public void pause(long millis) {
        ALL.get(name).pauseMillis = millis;
    }

    /** Fails, or not. */
    public void before(long what) {
        Draws draws = ALL.get(name);
        draws.calls.incrementAndGet();
        if (draws.pauseMillis > 0) {
            pauseFor(draws.pauseMillis);
        }
        if (draws.fails()) {
            throw new IllegalStateException("a test fails the task before " + what);
        }
    }

    private static void pauseFor(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the task is cancelled", e);
        }
    }

    /** A task has gone on from a checkpoint. */
    public void restored(long checkpoint) {
        ALL.get(name).restored.add(checkpoint);
    }

    /** A checkpoint is complete. */
    public void completed(long checkpoint) {
        ALL.get(name).completed.add(checkpoint);
    }

    /** Checkpoints that were complete. */
    public Set<Long> completed() {
        return ALL.get(name).completed;
    }

    /** Checkpoints that tasks have gone on from. */
    public Set<Long> restored() {
        return ALL.get(name).restored;
    }

    /** How often {@link #before} was called. */
    public int calls() {
        return ALL.get(name).calls.get();
    }

    /** How many failures there were. */
    public int happened() {
        return ALL.get(name).happened();
    }
}
