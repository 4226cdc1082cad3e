package io.github.flinkps.flink.service;

/**
 * Says after each pass whether its model is the best so far and whether it was the last. Every
 * party of a job keeps one of its own and is given the same losses, so that all come to the same
 * verdict. (Prechelt, "Early Stopping - But When?", 1998: the criterion UP with a strip of one
 * pass, counted from the best.)
 */
public final class EarlyStopping {
    private final int patience;
    private final int epochs;
    private int epoch = -1;
    private int bestEpoch = -1;
    private double bestLoss = Double.POSITIVE_INFINITY;

    public EarlyStopping(ValidationSpec spec) {
        this.patience = spec.patience();
        this.epochs = spec.epochs();
    }

    /**
     * The verdict after a pass.
     *
     * @param epoch the pass, from 0
     * @param loss mean of the validation rows' losses, each by its weight
     * @param bestEpoch the pass of the lowest loss, the first of several
     * @param last whether training ends
     */
    public record Verdict(int epoch, double loss, int bestEpoch, boolean last) {
        /** Returns whether no pass before was as good. */
        public boolean best() {
            return epoch == bestEpoch;
        }
    }

    /**
     * Counts a pass.
     *
     * @throws IllegalArgumentException without rows, or weights
     */
    public Verdict add(PassBarriers.Measured measured) {
        if (measured.rows() == 0) {
            throw new IllegalArgumentException(
                    "validation-share leaves no row to validate with: raise it, or give more rows");
        }
        if (!(measured.weightSum() > 0)) {
            throw new IllegalArgumentException(
                    "all "
                            + measured.rows()
                            + " validation rows have weight 0: look at the weights of the rows");
        }
        double loss = measured.lossSum() / measured.weightSum();
        epoch++;
        if (loss < bestLoss) {
            bestLoss = loss;
            bestEpoch = epoch;
        }
        boolean last = epoch + 1 == epochs || epoch - bestEpoch >= patience;
        return new Verdict(epoch, loss, bestEpoch, last);
    }
}
