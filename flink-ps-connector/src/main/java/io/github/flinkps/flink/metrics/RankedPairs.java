package io.github.flinkps.flink.metrics;

/**
 * Pairs of a row of label 1 and one of label 0, and how many of them stand in the right order, ties
 * counting half; of rows given by rising score, each as often as its weight says.
 */
final class RankedPairs {
    private int score;
    private double positives;
    private double negatives;
    private double tiedPositives;
    private double tiedNegatives;
    private double right;

    /** Returns a number for a score: the higher, the higher; 0 and -0 share one. */
    static int order(float score) {
        int bits = Float.floatToRawIntBits(score + 0f);
        return bits ^ (bits >> 31 & Integer.MAX_VALUE);
    }

    /**
     * Adds a row.
     *
     * @param order of its score, at least that of the row before
     */
    void add(int order, float label, float weight) {
        if (order != score) {
            endTie();
            score = order;
        }
        if (label == 1) {
            tiedPositives += weight;
        } else {
            tiedNegatives += weight;
        }
    }

    private void endTie() {
        right += tiedPositives * (negatives + tiedNegatives / 2);
        positives += tiedPositives;
        negatives += tiedNegatives;
        tiedPositives = 0;
        tiedNegatives = 0;
    }

    /** Returns the weighted number of pairs so far, of a row of label 1 and one of label 0. */
    double pairs() {
        endTie();
        return positives * negatives;
    }

    /**
     * Returns the weighted share of the pairs in the right order, ties counting half; NaN without
     * any.
     */
    double auc() {
        double pairs = pairs();
        return right / pairs;
    }
}
