package io.github.flinkps.cli.progress;

import io.github.flinkps.cli.output.FollowedFile;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The curves of a training as CSV: a row about every second and one at the end of each pass, there
 * for others to read as soon as it is written. A number that is not known is left empty.
 */
public final class MetricsFile implements ProgressObserver {
    static final String HEADER =
            "seconds,epoch,end_of_epoch,rows,rows_per_s,loss,recent_loss,auc,auc_rows,"
                    + "validation_loss,clock,clock_lag,bytes_sent,bytes_received,bytes_per_s";

    private static final long INTERVAL_MILLIS = 1000;

    private final FollowedFile file;

    /** Begins with the header, but leaves the file as it is until rows have trained. */
    public MetricsFile(FollowedFile file) {
        this.file = file;
        file.begin((HEADER + "\n").getBytes(StandardCharsets.UTF_8));
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
        String[] cells = {
            rounded(point.seconds()),
            Integer.toString(point.epoch()),
            point.endOfEpoch() ? "1" : "0",
            Long.toString(point.rows()),
            rounded(point.rowsPerSecond()),
            exact(point.loss()),
            exact(point.recentLoss()),
            exact(point.auc()),
            Long.toString(point.aucRows()),
            exact(point.validationLoss()),
            Long.toString(point.clock()),
            Long.toString(point.clockLag()),
            Long.toString(point.bytesSent()),
            Long.toString(point.bytesReceived()),
            rounded(point.bytesPerSecond())
        };
        file.write(String.join(",", cells) + "\n");
    }

    private static String rounded(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String exact(double value) {
        return Double.isNaN(value) ? "" : Double.toString(value);
    }
}
