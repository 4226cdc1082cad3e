package io.github.flinkps.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Waits for what tells only who asks again: files, HTTP, threads, other processes. */
public final class Polling {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final long LONGEST_STEP_MILLIS = 50;

    private Polling() {}

    /** Asks until the answer is yes, and fails the test with {@code message} at the limit. */
    public static void await(Duration limit, Callable<Boolean> condition, Supplier<String> message)
            throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        for (long step = 1; !condition.call(); step = Math.min(2 * step, LONGEST_STEP_MILLIS)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("after " + limit.toSeconds() + " s: " + message.get());
            }
            Thread.sleep(step);
        }
    }

    /** Waits for a condition, for up to a minute. */
    public static void await(String message, Callable<Boolean> condition) throws Exception {
        await(LIMIT, condition, () -> message);
    }

    /** Waits until no live thread's name contains {@code part}, for up to a minute. */
    public static void awaitNoThread(String part) throws Exception {
        await(
                "threads named " + part + " are left",
                () ->
                        Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(thread -> thread.getName().contains(part)));
    }
}
