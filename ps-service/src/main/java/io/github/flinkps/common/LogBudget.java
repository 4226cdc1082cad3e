package io.github.flinkps.common;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bounds the lines a minute of a log that others cause, so that none can fill a disk. Safe for use
 * by any thread.
 */
public final class LogBudget {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int most;
    private final LongSupplier nanoTime;
    private long began;
    private int lines;

    /**
     * @param most lines that are written within a minute
     */
    public LogBudget(int most) {
        this(most, System::nanoTime);
    }

    LogBudget(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
        this.began = nanoTime.getAsLong();
    }

    /** Returns whether a line may be written, and counts it. */
    public synchronized boolean take() {
        long now = nanoTime.getAsLong();
        if (now - began >= MINUTE_NANOS) {
            began = now;
            lines = 0;
        }
        if (lines == most) {
            return false;
        }
        lines++;
        return true;
    }
}
