package io.github.flinkps.flink.data;

import io.github.flinkps.common.KeyHash;
import java.io.Serializable;

/**
 * Rows drawn from a known sparse logistic model: half the features have a weight, small ones occur
 * more often, each row has a fixed number of features of value 1 and a label drawn with the
 * probability the model gives. Everything is a function of the seed and the row's number.
 *
 * @param rows how many there are
 * @param features keys are 0 to {@code features - 1}
 * @param entriesPerRow different keys of each row
 * @param seed of all draws
 */
public record GeneratedRows(long rows, int features, int entriesPerRow, long seed)
        implements Serializable {
    /** Rows of a block. */
    static final int BLOCK_ROWS = 1024;

    private static final long serialVersionUID = 1L;
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    /** Standard deviation of a row's log odds, about. */
    private static final double SIGNAL = 2.5;

    private static final double BIAS = -0.5;

    public GeneratedRows {
        if (rows < 1) {
            throw new IllegalArgumentException("rows must be at least 1, not " + rows);
        }
        if (entriesPerRow < 1 || entriesPerRow > features / 2) {
            throw new IllegalArgumentException(
                    "entries per row must be between 1 and half the features, not "
                            + entriesPerRow);
        }
    }

    /**
     * What is trained on when no input is given: enough rows to come close to the best logloss in a
     * few passes.
     */
    public static GeneratedRows defaults(long seed) {
        return new GeneratedRows(200_000, 1_000, 20, seed);
    }

    /** The weight of a feature in the model the rows are drawn from. */
    public double weight(long feature) {
        long bits = draw(seed + 1, feature);
        if ((bits & 1) == 0) {
            return 0;
        }
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += (draw(bits, i) >>> 11) * 0x1p-53;
        }
        double normal = (sum - 2) * Math.sqrt(3);
        return normal * SIGNAL * Math.sqrt(2.0 / entriesPerRow);
    }

    /** The bias of the model the rows are drawn from. */
    public double bias() {
        return BIAS;
    }

    /**
     * Adds row {@code row} to {@code out}; returns the probability by which its label was drawn.
     */
    double generate(long row, RowBatchBuilder out) {
        long state = draw(seed, row);
        int first = out.entries();
        double z = BIAS;
        for (int count = 0, i = 1; count < entriesPerRow; i++) {
            double u = (draw(state, i) >>> 11) * 0x1p-53;
            long key = (long) (u * u * features);
            if (isNew(key, out, first)) {
                out.add(key);
                z += weight(key);
                count++;
            }
        }
        double probability = 1 / (1 + Math.exp(-z));
        double u = (draw(state, 0) >>> 11) * 0x1p-53;
        out.endRow(u < probability ? 1f : 0f);
        return probability;
    }

    private static boolean isNew(long key, RowBatchBuilder out, int first) {
        for (int i = first; i < out.entries(); i++) {
            if (out.key(i) == key) {
                return false;
            }
        }
        return true;
    }

    private static long draw(long state, long index) {
        return KeyHash.mix64(KeyHash.mix64(state) + GAMMA * index);
    }

    /**
     * The logloss that no model can be expected to beat on the rows selected: the mean entropy of
     * their labels, given the model they are drawn from. Generates the rows once.
     */
    public double bestLogloss(RowSelection selection) {
        RowBatchBuilder scratch = new RowBatchBuilder();
        double sum = 0;
        long count = 0;
        for (long row = 0; row < rows; row++) {
            if (selection.accepts(0, row)) {
                double p = generate(row, scratch);
                scratch.clear();
                sum -= p * Math.log(p) + (1 - p) * Math.log1p(-p);
                count++;
            }
        }
        return sum / count;
    }
}
