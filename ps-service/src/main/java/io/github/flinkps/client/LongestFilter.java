package io.github.flinkps.client;

import java.util.Arrays;

/**
 * Sends, of the rows that a mini-batch touches, a share whose updates are longest, and retains the
 * others (Aji and Heafield: Sparse communication for distributed gradient descent, EMNLP 2017; that
 * it converges with what is retained: Stich, Cordonnier and Jaggi, NeurIPS 2018). Lengths are
 * Euclidean. Of rows as long as the last that is sent, those of the lowest place are.
 */
public final class LongestFilter implements PushFilter {
    private static final long serialVersionUID = 1L;

    private final double share;
    private transient double[] lengths = {};

    /**
     * Makes a filter.
     *
     * @param share above 0 and at most 1; at least one row is sent
     */
    public LongestFilter(double share) {
        this.share = checkShare(share);
    }

    static double checkShare(double share) {
        if (!(share > 0) || share > 1) {
            throw new IllegalArgumentException(
                    "push-share must be above 0 and at most 1, not " + share);
        }
        return share;
    }

    @Override
    public void filter(Rows rows) {
        int count = rows.count();
        int sent = (int) Math.ceil(share * count);
        if (sent == count) {
            return;
        }
        double[] all = lengths(rows);
        double[] sorted = Arrays.copyOf(all, count);
        double least = select(sorted, count - sent);
        int longer = 0;
        for (int row = 0; row < count; row++) {
            longer += all[row] > least ? 1 : 0;
        }
        int equals = sent - longer;
        for (int row = 0; row < count; row++) {
            if (all[row] < least || all[row] == least && --equals < 0) {
                rows.retain(row);
            }
        }
    }

    /** Returns the squares of the lengths. */
    private double[] lengths(Rows rows) {
        int width = rows.table().width();
        float[] updates = rows.updates();
        if (lengths == null || lengths.length < rows.count()) {
            lengths = new double[rows.count()];
        }
        for (int row = 0; row < rows.count(); row++) {
            double square = 0;
            for (int i = row * width; i < (row + 1) * width; i++) {
                square += (double) updates[i] * updates[i];
            }
            lengths[row] = square;
        }
        return lengths;
    }

    /** Returns the number at a place in ascending order; moves numbers (Hoare's quickselect). */
    private static double select(double[] numbers, int place) {
        int from = 0;
        int to = numbers.length - 1;
        while (from < to) {
            double pivot = numbers[(from + to) >>> 1];
            int low = from;
            int high = to;
            while (low <= high) {
                while (numbers[low] < pivot) {
                    low++;
                }
                while (numbers[high] > pivot) {
                    high--;
                }
                if (low <= high) {
                    double moved = numbers[low];
                    numbers[low++] = numbers[high];
                    numbers[high--] = moved;
                }
            }
            if (place <= high) {
                to = high;
            } else if (place >= low) {
                from = low;
            } else {
                return numbers[place];
            }
        }
        return numbers[place];
    }
}
