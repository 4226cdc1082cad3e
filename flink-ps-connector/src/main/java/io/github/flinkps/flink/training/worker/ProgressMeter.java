package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.TrafficCounters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.service.EarlyStopping;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerCounts;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.PlannedBatch;

/**
 * Keeps count of what a worker trains, and tells it as {@link TrainingProgress}. Belongs to the
 * task's thread.
 */
final class ProgressMeter {
    private final LossCurve losses;
    private final SampledAuc auc;
    private final int worker;
    private final boolean samples;
    private long rows;
    private long computeNanos;
    private EarlyStopping.Verdict verdict;

    /**
     * @param samples whether anybody looks on within a pass; else nothing is scored
     */
    ProgressMeter(TrainingModel model, int worker, int epochs, boolean samples) {
        this.losses = new LossCurve(epochs);
        this.auc = new SampledAuc(model, System::nanoTime);
        this.worker = worker;
        this.samples = samples;
    }

    /** Samples the scores of a mini-batch that is about to train. */
    void beforeTraining(PulledBatch pulled) {
        if (samples) {
            auc.beforeTraining(pulled);
        }
    }

    /** Counts a mini-batch that has trained, and the time its gradients took. */
    void trained(PlannedBatch planned, double loss, long nanos) {
        MiniBatch batch = planned.batch();
        losses.add(planned.epoch(), loss, batch.weight);
        rows += batch.size();
        computeNanos += nanos;
    }

    /** Sets the verdict on a pass that was measured with the validation rows. */
    void validated(EarlyStopping.Verdict pass) {
        verdict = pass;
        losses.validated(pass.epoch(), pass.loss());
    }

    /** Goes on from what has been counted before; the sample of the area under the curve is new. */
    void restore(WorkerCounts before) {
        losses.add(before);
        rows += before.trainedRows();
        computeNanos += before.computeNanos();
    }

    /** Returns the number of rows trained, over all passes. */
    long rows() {
        return rows;
    }

    LossCurve losses() {
        return losses;
    }

    /** Returns the nanoseconds spent on gradients. */
    long computeNanos() {
        return computeNanos;
    }

    /** Returns how far a pass is. */
    TrainingProgress progress(int epoch, boolean endOfEpoch, ServiceFinder.Connection connection) {
        auc.rank(epoch, endOfEpoch);
        TrafficCounters traffic = connection.client().traffic();
        boolean validated = verdict != null && verdict.epoch() == epoch;
        return new TrainingProgress(
                worker,
                epoch,
                endOfEpoch,
                losses.batches(epoch),
                losses.lossSum(epoch),
                losses.weightSum(epoch),
                System.currentTimeMillis(),
                rows,
                connection.session().clock(),
                connection.session().lead(),
                traffic.bytesSent(),
                traffic.bytesReceived(),
                auc.auc(),
                auc.pairs(),
                auc.rows(),
                validated ? verdict.loss() : Double.NaN,
                validated ? verdict.bestEpoch() : -1);
    }
}
