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
 * has been completed, so that each failure has a checkpoint of its own to go on from. Until the
 * first is complete calls take a while, up to a bound, where failures are wanted. Any thread.
 */
public final class TestingFailures implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Map<String, Draws> ALL = new ConcurrentHashMap<>();
    private static final int MOST_CALLS = 50;
    private static final long MOST_MILLIS = 30;

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
        private volatile long trainingMillis;
        private volatile Runnable atTraining = () -> {};
        private volatile boolean trickling;
        private int leastTrained;
        private int completedSeen;

        Draws(long seed, int most) {
            this.random = new Random(seed);
            this.most = most;
        }

        /** Returns how long a call takes, so that a checkpoint is complete before all are made. */
        long slownessMillis() {
            boolean early = most > 0 && completed.isEmpty();
            return early ? Math.min(MOST_MILLIS, 1 + calls.get() / 10) : 0;
        }

        synchronized boolean fails(boolean training) {
            if (happened == most || completed.size() == completedBefore) {
                return false;
            }
            if (leastTrained > 0) {
                return trainedEnough(training);
            }
            callsLeft = callsLeft < 0 ? random.nextInt(MOST_CALLS) : callsLeft - 1;
            if (callsLeft > 0) {
                return false;
            }
            return failed();
        }

        private boolean trainedEnough(boolean training) {
            if (completed.size() != completedSeen) {
                completedSeen = completed.size();
                callsLeft = leastTrained;
            }
            return training && --callsLeft <= 0 && failed();
        }

        private boolean failed() {
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

    /** Makes failures, at most so many. */
    public static TestingFailures some(String name, long seed, int most) {
        ALL.put(name, new Draws(seed, most));
        return new TestingFailures(name);
    }

    /** Makes each call take so long, so that a job is still there when it is to be stopped. */
    public void pause(long millis) {
        draws().pauseMillis = millis;
    }

    /** Those of this process; in one that has none of the name nothing fails. */
    private Draws draws() {
        return ALL.computeIfAbsent(name, none -> new Draws(0, 0));
    }

    /** Makes training slower than what feeds it. */
    public void slowTraining(long millis) {
        draws().trainingMillis = millis;
    }

    /** Runs something on the worker's thread before each mini-batch. */
    public void atTraining(Runnable what) {
        draws().atTraining = what;
    }

    /** Fails in training only, when so many mini-batches have been begun since a checkpoint. */
    public void afterTraining(int batches) {
        draws().leastTrained = batches;
    }

    /** Lets rows come slowly, so that input is left until {@link #flow}. */
    public void trickle() {
        draws().trickling = true;
    }

    /** Ends the slowness of {@link #trickle}. */
    public void flow() {
        draws().trickling = false;
    }

    /** Returns whether rows come slowly. */
    public boolean isTrickling() {
        return draws().trickling;
    }

    /** Fails, or not, before a mini-batch is trained. */
    public void beforeTraining(long what) {
        long millis = draws().trainingMillis;
        if (millis > 0) {
            pauseFor(millis);
        }
        draws().atTraining.run();
        before(what, true);
    }

    /** Fails, or not. */
    public void before(long what) {
        before(what, false);
    }

    private void before(long what, boolean training) {
        Draws draws = draws();
        draws.calls.incrementAndGet();
        long millis = Math.max(draws.pauseMillis, draws.slownessMillis());
        if (millis > 0) {
            pauseFor(millis);
        }
        if (draws.fails(training)) {
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
        draws().restored.add(checkpoint);
    }

    /** A checkpoint is complete. */
    public void completed(long checkpoint) {
        draws().completed.add(checkpoint);
    }

    /** Checkpoints that were complete. */
    public Set<Long> completed() {
        return draws().completed;
    }

    /** Checkpoints that tasks have gone on from. */
    public Set<Long> restored() {
        return draws().restored;
    }

    /** Returns how often {@link #before} was called. */
    public int calls() {
        return draws().calls.get();
    }

    /** Returns how many failures there were. */
    public int happened() {
        return draws().happened();
    }
}
