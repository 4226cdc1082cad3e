package io.github.flinkps.examples.cluster;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Waits for what other processes do, of which files and HTTP tell only who asks again. */
final class Polling {
    private static final long STEP_MILLIS = 50;

    private Polling() {}

    /** Asks until the answer is yes, and fails the test with {@code message} at the limit. */
    static void await(Duration limit, Callable<Boolean> condition, Supplier<String> message)
            throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("after " + limit.toSeconds() + " s: " + message.get());
            }
            Thread.sleep(STEP_MILLIS);
        }
    }
}
