package io.github.flinkps.cli.progress;

import io.github.flinkps.cli.run.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows how a training goes. A terminal has a status for it; elsewhere a line is printed every few
 * seconds. At the end of each pass a line that stays takes the place of the status.
 */
public final class ProgressPrinter implements ProgressObserver {
    private static final long STATUS_MILLIS = 200;
    private static final long LINE_MILLIS = 5000;

    private final Terminal terminal;
    private final String lossName;
    private final int servers;
    private double lastLoss = Double.NaN;

    /**
     * Shows the progress of a job.
     *
     * @param lossName what the model calls its loss
     * @param servers that hold the model
     */
    public ProgressPrinter(Terminal terminal, String lossName, int servers) {
        this.terminal = terminal;
        this.lossName = lossName;
        this.servers = servers;
    }

    @Override
    public long intervalMillis() {
        return terminal.isLive() ? STATUS_MILLIS : LINE_MILLIS;
    }

    @Override
    public void phase(String name) {
        terminal.status(name + " ..");
    }

    @Override
    public void point(ProgressPoint point) {
        lastLoss = Double.isNaN(point.loss()) ? lastLoss : point.loss();
        if (point.endOfEpoch()) {
            terminal.line(String.join("  ", end(point)));
        } else if (terminal.isLive()) {
            List<String> parts = within(point);
            String wide = String.join("  ", parts);
            terminal.status(wide.length() <= terminal.width() ? wide : String.join(" ", parts));
        } else {
            terminal.line("  in " + String.join("  ", within(point)));
        }
    }

    private List<String> end(ProgressPoint point) {
        List<String> parts = new ArrayList<>();
        parts.add("epoch " + point.epoch() + "/" + point.epochs());
        parts.add(Amounts.of(point.passRows(), "row", "rows"));
        addMeasures(parts, point.loss(), point.auc());
        if (!Double.isNaN(point.validationLoss())) {
            boolean best = point.bestEpoch() == point.epoch();
            parts.add(
                    "validation "
                            + measure(point.validationLoss())
                            + (best ? "" : " (best in epoch " + point.bestEpoch() + ")"));
        }
        parts.add(Amounts.count(point.rowsPerSecond()) + " rows/s");
        parts.add(String.format(Locale.ROOT, "%.1f s", point.seconds()));
        return parts;
    }

    private List<String> within(ProgressPoint point) {
        List<String> parts = new ArrayList<>();
        String share =
                Double.isNaN(point.share())
                        ? ""
                        : " " + Math.round(100 * Math.min(1, point.share())) + "%";
        parts.add("epoch " + point.epoch() + "/" + point.epochs() + share);
        // A pass of which nothing has been heard yet shows the loss of the one before.
        addMeasures(parts, lastLoss, point.auc());
        parts.add(Amounts.count(point.rowsPerSecond()) + " rows/s");
        parts.add(Amounts.bytes(point.bytesPerSecond()) + "/s");
        parts.add("lag " + point.clockLag());
        parts.add(Amounts.of(servers, "server", "servers"));
        return parts;
    }

    private void addMeasures(List<String> parts, double loss, double auc) {
        parts.add(lossName + " " + measure(loss));
        if (!Double.isNaN(auc)) {
            parts.add("auc " + measure(auc));
        }
    }

    private static String measure(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4f", value);
    }
}
