package io.github.flinkps.cli.progress;

import io.github.flinkps.flink.training.TrainingProgress;
import java.util.ArrayDeque;

/** The latest progress of a worker, and its speed in its last seconds by its own clock. */
final class WorkerTrack {
    /** The length of "the last seconds". */
    static final long WINDOW_MILLIS = 3000;

    private static final long STEP_MILLIS = 100;

    private final ArrayDeque<TrainingProgress> marks = new ArrayDeque<>();
    private TrainingProgress latest;
    private long heardMillis;

    /**
     * Takes a record.
     *
     * @param nowMillis this process's clock
     */
    void accept(TrainingProgress progress, long nowMillis) {
        latest = progress;
        heardMillis = nowMillis;
        if (marks.isEmpty() || progress.millis() - marks.getLast().millis() >= STEP_MILLIS) {
            marks.add(progress);
        }
        long begin = progress.millis() - WINDOW_MILLIS;
        while (marks.size() > 1 && second().millis() <= begin) {
            marks.remove();
        }
    }

    private TrainingProgress second() {
        var all = marks.iterator();
        all.next();
        return all.next();
    }

    /** Returns the newest record, or null. */
    TrainingProgress latest() {
        return latest;
    }

    /** Returns whether it has told something in the last seconds. */
    boolean isHeard(long nowMillis) {
        return latest != null && nowMillis - heardMillis <= WINDOW_MILLIS;
    }

    /** Returns whether it is through with a pass. */
    boolean isPast(int epoch) {
        return latest != null
                && (latest.epoch() > epoch || latest.epoch() == epoch && latest.endOfEpoch());
    }

    /** Returns rows per second; NaN before there are two records. */
    double rowsPerSecond() {
        return perSecond(latest.rows() - marks.getFirst().rows());
    }

    /** Returns bytes per second, sent and received; NaN before there are two records. */
    double bytesPerSecond() {
        return perSecond(bytes(latest) - bytes(marks.getFirst()));
    }

    private double perSecond(long more) {
        long millis = latest.millis() - marks.getFirst().millis();
        return millis <= 0 ? Double.NaN : more * 1000.0 / millis;
    }

    private static long bytes(TrainingProgress progress) {
        return progress.bytesSent() + progress.bytesReceived();
    }
}
