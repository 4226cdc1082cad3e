package io.github.flinkps.cli.progress;

/**
 * The progress of a training at one time, of all workers together.
 *
 * @param seconds since the command began
 * @param epoch the pass, from 1; the lowest that not all workers have finished
 * @param epochs passes
 * @param endOfEpoch whether all workers have just finished the pass
 * @param passRows rows of this pass so far
 * @param share of this pass; NaN in the first, whose size is not known
 * @param rows trained so far, over all passes
 * @param rowsPerSecond of the last seconds, or of the whole pass at its end; NaN at the beginning
 * @param loss mean of the rows of this pass so far, each as it was before the row trained; NaN
 *     without rows
 * @param recentLoss as the loss, of the rows since the point before; NaN without rows
 * @param auc of rows of this pass sampled of late, each scored before it trained: the share of
 *     pairs of label 1 and 0, each within one worker's sample, that stand right; NaN if there is
 *     none
 * @param aucRows rows of the sample
 * @param validationLoss of the pass; NaN unless it is its end and there are validation rows
 * @param bestEpoch the pass of the lowest validation loss so far; 0 where there is none
 * @param clock the largest of the workers' clocks
 * @param clockLag by how much the smallest was below the largest
 * @param bytesSent by all workers so far, as encoded
 * @param bytesReceived by all workers so far, as encoded
 * @param bytesPerSecond sent and received, of the last seconds; NaN at the beginning
 */
public record ProgressPoint(
        double seconds,
        int epoch,
        int epochs,
        boolean endOfEpoch,
        long passRows,
        double share,
        long rows,
        double rowsPerSecond,
        double loss,
        double recentLoss,
        double auc,
        long aucRows,
        double validationLoss,
        int bestEpoch,
        long clock,
        long clockLag,
        long bytesSent,
        long bytesReceived,
        double bytesPerSecond) {}
