package io.github.flinkps.cli.progress;

import io.github.flinkps.cli.job.JobProgress;
import io.github.flinkps.flink.training.TrainingProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Sums up what workers say of their training and tells it to observers: now and then within a pass,
 * and at the end of each.
 */
public final class ProgressTracker implements JobProgress {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int epochs;
    private final LongSupplier nanos;
    private final long startNanos;
    private final WorkerTrack[] workers;
    private final List<Watch> watches = new ArrayList<>();
    private final Map<Integer, Pass> passes = new HashMap<>();
    private int epoch;
    private long rowsBefore;
    private long rowsOfAPass;
    private long beganMillis;
    private ProgressPoint last;
    private ProgressPoint best;

    /** A pass that not all workers are through with. */
    private static final class Pass {
        private int ended;
        private double lossSum;
        private double weightSum;
        private long rows;
        private long endMillis;
        private Auc auc = Auc.NONE;
        private double validationLoss = Double.NaN;
        private int bestEpoch = -1;
    }

    /** Pairs within the workers' samples, those that stand right, and the samples' rows. */
    private record Auc(double right, double pairs, long rows) {
        private static final Auc NONE = new Auc(0, 0, 0);

        Auc plus(TrainingProgress worker) {
            return worker.aucPairs() > 0
                    ? new Auc(
                            right + worker.auc() * worker.aucPairs(),
                            pairs + worker.aucPairs(),
                            rows + worker.aucRows())
                    : this;
        }
    }

    /** An observer, and what it was told before. */
    private static final class Watch {
        private final ProgressObserver observer;
        private long toldNanos;
        private int epoch = -1;
        private double lossSum;
        private double weightSum;

        Watch(ProgressObserver observer) {
            this.observer = observer;
        }

        /** Returns the mean loss since the last call for the pass; NaN without new rows. */
        double recentLoss(int nowEpoch, double nowLossSum, double nowWeightSum) {
            boolean same = epoch == nowEpoch;
            double loss = nowLossSum - (same ? lossSum : 0);
            double weight = nowWeightSum - (same ? weightSum : 0);
            epoch = nowEpoch;
            lossSum = nowLossSum;
            weightSum = nowWeightSum;
            return weight > 0 ? loss / weight : Double.NaN;
        }
    }

    /**
     * Follows a training.
     *
     * @param nanos a clock, {@link System#nanoTime}
     * @param startNanos when the command began
     */
    public ProgressTracker(int workers, int epochs, LongSupplier nanos, long startNanos) {
        this.workers = new WorkerTrack[workers];
        Arrays.setAll(this.workers, worker -> new WorkerTrack());
        this.epochs = epochs;
        this.nanos = nanos;
        this.startNanos = startNanos;
    }

    /** Adds an observer. */
    public ProgressTracker tell(ProgressObserver observer) {
        watches.add(new Watch(observer));
        return this;
    }

    /** Returns how often workers are to say where they are within a pass; zero: only at its end. */
    @Override
    public Duration interval() {
        return Duration.ofMillis(
                watches.stream()
                        .mapToLong(watch -> watch.observer.intervalMillis())
                        .map(millis -> Math.min(millis, 1000))
                        .min()
                        .orElse(0));
    }

    /** Tells all observers that the command goes on to something else. */
    @Override
    public void phase(String name) {
        watches.forEach(watch -> watch.observer.phase(name));
    }

    /** Takes a record of a worker, ends passes that are complete, and tells observers. */
    @Override
    public void accept(TrainingProgress progress) {
        long now = nanos.getAsLong();
        if (beganMillis == 0) {
            beganMillis = progress.millis();
            watches.forEach(watch -> watch.toldNanos = now);
        }
        workers[progress.worker()].accept(progress, now / NANOS_PER_MILLI);
        if (progress.endOfEpoch()) {
            Pass pass = pass(progress.epoch());
            pass.ended++;
            pass.lossSum += progress.lossSum();
            pass.weightSum += progress.weightSum();
            pass.rows += progress.rows();
            pass.auc = pass.auc.plus(progress);
            pass.endMillis = Math.max(pass.endMillis, progress.millis());
            pass.validationLoss = progress.validationLoss();
            pass.bestEpoch = progress.bestEpoch();
            closePasses();
        }
        for (Watch watch : watches) {
            long interval = watch.observer.intervalMillis() * NANOS_PER_MILLI;
            if (epoch < epochs && now - watch.toldNanos >= interval) {
                tell(watch, now, false);
            }
        }
    }

    /** Returns the newest point at the end of a pass; null before. */
    public ProgressPoint last() {
        return last;
    }

    /** Returns the end of the pass of the lowest validation loss; null where there is none. */
    public ProgressPoint best() {
        return best;
    }

    private Pass pass(int number) {
        return passes.computeIfAbsent(number, absent -> new Pass());
    }

    private void closePasses() {
        for (Pass pass = passes.get(epoch); pass != null; pass = passes.get(epoch)) {
            if (pass.ended < workers.length) {
                return;
            }
            if (pass.rows > rowsBefore || !Double.isNaN(pass.validationLoss)) {
                rowsOfAPass = epoch == 0 ? pass.rows : rowsOfAPass;
                long now = nanos.getAsLong();
                watches.forEach(watch -> tell(watch, now, true));
                last = point(now, true, Double.NaN, pass.lossSum / pass.weightSum);
                best = pass.bestEpoch == epoch ? last : best;
            }
            rowsBefore = pass.rows;
            beganMillis = pass.endMillis;
            passes.remove(epoch++);
        }
    }

    private void tell(Watch watch, long now, boolean end) {
        watch.toldNanos = end ? watch.toldNanos : now;
        Pass pass = passes.get(epoch);
        double loss = pass == null ? 0 : pass.lossSum;
        double weight = pass == null ? 0 : pass.weightSum;
        for (WorkerTrack worker : workers) {
            TrainingProgress latest = worker.latest();
            if (isWithin(latest)) {
                loss += latest.lossSum();
                weight += latest.weightSum();
            }
        }
        double recent = watch.recentLoss(epoch, loss, weight);
        watch.observer.point(point(now, end, recent, loss / weight));
    }

    /**
     * Returns whether a record is of the pass that goes on, and not counted with those who ended
     * it.
     */
    private boolean isWithin(TrainingProgress latest) {
        return latest != null && latest.epoch() == epoch && !latest.endOfEpoch();
    }

    private ProgressPoint point(long now, boolean end, double recentLoss, double loss) {
        Pass pass = passes.get(epoch);
        long passRows = (pass == null ? 0 : pass.rows) - rowsBefore;
        long rows = 0;
        long clock = 0;
        long lag = 0;
        long sent = 0;
        long received = 0;
        Auc auc = pass == null ? Auc.NONE : pass.auc;
        for (WorkerTrack worker : workers) {
            TrainingProgress latest = worker.latest();
            if (latest == null) {
                continue;
            }
            rows += latest.rows();
            passRows += worker.isPast(epoch) ? 0 : latest.rows();
            clock = Math.max(clock, latest.clock());
            // One that has finished has left the clocks.
            lag = Math.max(lag, worker.isPast(epochs - 1) ? 0 : latest.lead());
            sent += latest.bytesSent();
            received += latest.bytesReceived();
            auc = isWithin(latest) ? auc.plus(latest) : auc;
        }
        return new ProgressPoint(
                (now - startNanos) / 1e9,
                epoch + 1,
                epochs,
                end,
                passRows,
                epoch == 0 || end ? Double.NaN : (double) passRows / rowsOfAPass,
                rows,
                end ? passSpeed(pass, now) : speed(now, false),
                loss,
                recentLoss,
                auc.right() / auc.pairs(),
                auc.rows(),
                end ? pass.validationLoss : Double.NaN,
                end ? pass.bestEpoch + 1 : 0,
                clock,
                lag,
                sent,
                received,
                speed(now, true));
    }

    private double passSpeed(Pass pass, long now) {
        long millis = pass.endMillis - beganMillis;
        return millis <= 0 ? speed(now, false) : (pass.rows - rowsBefore) * 1000.0 / millis;
    }

    /** Returns rows, or bytes, per second of the workers heard of late; NaN if unknown. */
    private double speed(long now, boolean bytes) {
        double sum = 0;
        boolean known = false;
        for (WorkerTrack worker : workers) {
            if (worker.isHeard(now / NANOS_PER_MILLI)) {
                double speed = bytes ? worker.bytesPerSecond() : worker.rowsPerSecond();
                known |= !Double.isNaN(speed);
                sum += Double.isNaN(speed) ? 0 : speed;
            }
        }
        return known ? sum : Double.NaN;
    }
}
