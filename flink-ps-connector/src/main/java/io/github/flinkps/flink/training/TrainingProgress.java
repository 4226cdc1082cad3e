package io.github.flinkps.flink.training;

/**
 * The progress of a worker: one record at the end of each pass and, in between, one per interval.
 * It is a record of numbers, so that Flink serializes it as a plain object.
 *
 * <p>To sum up several workers, add rows, bytes, losses and weights of their newest records. The
 * largest {@code lead} is how far apart their clocks are. The mean of {@code auc}, each weighted by
 * its {@code aucPairs}, is the share of pairs that stand right; a pair is within one worker's
 * sample.
 *
 * @param worker its index
 * @param epoch the pass, from 0
 * @param endOfEpoch whether the pass is over
 * @param batches mini-batches of the pass so far
 * @param lossSum sum of the pass so far of the rows' losses, each times its weight
 * @param weightSum sum of the pass so far of the rows' weights
 * @param millis the worker's wall clock; to be compared with its own only
 * @param rows trained so far, over all passes
 * @param clock mini-batches finished, over all passes
 * @param lead by how many the clock was above that of the slowest worker, when servers last told
 * @param bytesSent frames of this worker so far, as encoded
 * @param bytesReceived frames of this worker so far, as encoded
 * @param auc area under the ROC curve of the last rows of this pass that were scored before they
 *     trained. {@code SampledAuc} chooses them as a sample of the rows trained of late. An estimate
 *     for unseen rows in the first pass, for the training rows in later ones. NaN for models of
 *     other labels than 0 and 1, and where it is not defined
 * @param aucPairs pairs of rows of label 1 and 0 it was counted over, each the product of its
 *     weights
 * @param aucRows rows of that sample
 * @param validationLoss at the end of a pass the mean loss of the validation rows, of all workers;
 *     NaN if there are none
 * @param bestEpoch the pass with the lowest of these so far, -1 without
 */
public record TrainingProgress(
        int worker,
        int epoch,
        boolean endOfEpoch,
        long batches,
        double lossSum,
        double weightSum,
        long millis,
        long rows,
        long clock,
        long lead,
        long bytesSent,
        long bytesReceived,
        double auc,
        double aucPairs,
        int aucRows,
        double validationLoss,
        int bestEpoch) {}
