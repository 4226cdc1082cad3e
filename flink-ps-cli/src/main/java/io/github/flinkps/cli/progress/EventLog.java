package io.github.flinkps.cli.progress;

import io.github.flinkps.cli.output.FollowedFile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The curves of a training for TensorBoard; steps are rows trained, over all passes. Tags: {@code
 * train/loss} (of the pass so far), {@code train/recent_loss} (since the point before), {@code
 * train/auc}, {@code train/epoch}, {@code speed/rows_per_s}, {@code speed/bytes_per_s}, {@code
 * workers/clock_lag} about every second, {@code validation/loss} at the end of a pass and {@code
 * test/} with each measure when the model has been tested.
 */
public final class EventLog implements ProgressObserver {
    private static final long INTERVAL_MILLIS = 1000;

    private final FollowedFile file;
    private final LongSupplier wallMillis;
    private long step;

    /**
     * Begins with the version of the format, but makes no file until rows have trained.
     *
     * @param wallMillis wall clock
     */
    public EventLog(FollowedFile file, LongSupplier wallMillis) {
        this.file = file;
        this.wallMillis = wallMillis;
        file.begin(EventRecords.version(wallSeconds()));
    }

    private double wallSeconds() {
        return wallMillis.getAsLong() / 1000.0;
    }

    @Override
    public long intervalMillis() {
        return INTERVAL_MILLIS;
    }

    @Override
    public void point(ProgressPoint point) {
        if (point.rows() == 0) {
            return;
        }
        step = point.rows();
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("train/loss", point.loss());
        values.put("train/recent_loss", point.recentLoss());
        values.put("train/auc", point.auc());
        values.put("train/epoch", (double) point.epoch());
        values.put("speed/rows_per_s", point.rowsPerSecond());
        values.put("speed/bytes_per_s", point.bytesPerSecond());
        values.put("workers/clock_lag", (double) point.clockLag());
        values.put("validation/loss", point.validationLoss());
        write(values);
    }

    /** Writes the measures of a test, by their names, at the step of the last point. */
    public void tested(Map<String, Double> measures) {
        Map<String, Double> values = new LinkedHashMap<>();
        measures.forEach((name, value) -> values.put("test/" + name, value));
        write(values);
    }

    private void write(Map<String, Double> values) {
        values.values().removeIf(value -> value.isNaN());
        if (!values.isEmpty()) {
            file.write(EventRecords.scalars(wallSeconds(), step, values));
        }
    }
}
