package io.github.flinkps.cli.job;

import io.github.flinkps.flink.training.TrainingProgress;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Sums up what workers say of their passes: one line per pass, and some in between if it is a long
 * one. Belongs to one thread.
 */
public final class EpochProgress {
    /** A long pass is heard of as often. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    private final int workers;
    private final int epochs;
    private final Consumer<String> lines;
    private final long startNanos;
    private final TrainingProgress[] latest;
    private final double[] lossSums;
    private final double[] weightSums;
    private final int[] ended;
    private final String lossName;
    private long lastLineNanos;

    /**
     * @param lossName what the model calls its loss
     * @param lines takes each line
     * @param startNanos when the command began, as {@link System#nanoTime}
     */
    public EpochProgress(
            int workers, int epochs, String lossName, Consumer<String> lines, long startNanos) {
        this.lossName = lossName;
        this.workers = workers;
        this.epochs = epochs;
        this.lines = lines;
        this.startNanos = startNanos;
        this.latest = new TrainingProgress[workers];
        this.lossSums = new double[epochs];
        this.weightSums = new double[epochs];
        this.ended = new int[epochs];
    }

    void accept(TrainingProgress progress) {
        int epoch = progress.epoch();
        latest[progress.worker()] = progress;
        if (lastLineNanos == 0) {
            lastLineNanos = System.nanoTime();
        }
        if (progress.endOfEpoch()) {
            lossSums[epoch] += progress.lossSum();
            weightSums[epoch] += progress.weightSum();
            if (++ended[epoch] == workers) {
                line("epoch", epoch, lossSums[epoch], weightSums[epoch], validation(progress));
            }
        } else if (System.nanoTime() - lastLineNanos >= QUIET_NANOS) {
            withinEpoch(epoch);
        }
    }

    private void withinEpoch(int epoch) {
        double loss = 0;
        double weight = 0;
        for (TrainingProgress progress : latest) {
            if (progress != null && progress.epoch() == epoch) {
                loss += progress.lossSum();
                weight += progress.weightSum();
            }
        }
        line("  in epoch", epoch, loss, weight, "");
    }

    private String validation(TrainingProgress progress) {
        if (Double.isNaN(progress.validationLoss())) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "  validation %s %.4f%s",
                lossName,
                progress.validationLoss(),
                progress.epoch() == progress.bestEpoch()
                        ? ""
                        : " (best in epoch " + (progress.bestEpoch() + 1) + ")");
    }

    private void line(String begin, int epoch, double loss, double weight, String more) {
        lastLineNanos = System.nanoTime();
        double seconds = (lastLineNanos - startNanos) / 1e9;
        lines.accept(
                String.format(
                        Locale.ROOT,
                        "%s %d/%d  %,.0f rows  %s %.4f%s  %.1f s",
                        begin,
                        epoch + 1,
                        epochs,
                        weight,
                        lossName,
                        loss / weight,
                        more,
                        seconds));
    }
}
