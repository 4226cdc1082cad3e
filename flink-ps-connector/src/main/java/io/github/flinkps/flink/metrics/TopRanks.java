package io.github.flinkps.flink.metrics;

/**
 * Measures the first places of a ranking whose rows are right or wrong. Rows are added from the
 * highest score down; of rows with one score the wrong ones stand above the right ones, so that a
 * model gains nothing by scores that are all alike. Not thread-safe.
 */
public final class TopRanks {
    private final int places;
    private long rows;
    private long rights;
    private long hits;
    private double gains;

    /**
     * @param places how many are looked at, at least 1
     */
    public TopRanks(int places) {
        this.places = places;
    }

    /** Adds all rows of the next lower score, by their numbers. */
    public void add(long wrong, long right) {
        long first = rows + wrong + 1;
        for (long rank = first; rank < first + right && rank <= places; rank++) {
            hits++;
            gains += gain(rank);
        }
        rows += wrong + right;
        rights += right;
    }

    /** Returns the gain of a right row at a rank, which counts from 1 on. */
    static double gain(long rank) {
        return Math.log(2) / Math.log(1 + (double) rank);
    }

    /** Returns the number of right rows at the first places, divided by that of the places. */
    public double precision() {
        return (double) hits / places;
    }

    /**
     * Returns the gain of the first places, divided by the most that it could be (Järvelin and
     * Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002); NaN without right rows.
     */
    public double ndcg() {
        double best = 0;
        for (long rank = 1; rank <= Math.min(places, rights); rank++) {
            best += gain(rank);
        }
        return gains / best;
    }
}
