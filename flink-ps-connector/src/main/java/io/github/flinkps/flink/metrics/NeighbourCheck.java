package io.github.flinkps.flink.metrics;

/**
 * Checks whether the nearest neighbours of frequent words stand near them in a text more often than
 * chance would have it. Chance is not computed but taken from the same text. Each neighbour is
 * compared with words about as frequent: those next to it in the order of frequencies which are no
 * neighbours themselves. Vectors that mean nothing give 1 or less, whatever the frequencies.
 *
 * <p>Words are numbers in the order of their frequency. Thread-safe.
 */
public final class NeighbourCheck {
    /** Words that a neighbour is compared with. */
    private static final int COMPARED = 20;

    private final int window;
    private final int most;
    private final int[][] together;
    private final long[] occurrences;

    /**
     * The result of a check.
     *
     * @param words that were looked at, having occurred
     * @param multiple how many neighbours stand around an occurrence of a word, averaged over the
     *     words, as a multiple of how many of the words they are compared with do
     * @param wordsAhead share of the words whose neighbours stand near them more often than the
     *     words they are compared with
     */
    public record Result(int words, double multiple, double wordsAhead) {}

    /**
     * @param frequent how many words have their neighbours checked
     * @param words that may be neighbours: the first ones
     * @param window words to each side that are near
     */
    public NeighbourCheck(int frequent, int words, int window) {
        this.window = window;
        this.most = words;
        this.together = new int[Math.min(frequent, words)][words];
        this.occurrences = new long[together.length];
    }

    /** Counts what stands near to what in the rows {@code keys[from, to)} of a text. */
    public synchronized void add(long[] keys, int from, int to) {
        for (int at = from; at < to; at++) {
            if (keys[at] >= together.length) {
                continue;
            }
            int[] near = together[(int) keys[at]];
            occurrences[(int) keys[at]]++;
            for (int i = Math.max(from, at - window); i < Math.min(to, at + window + 1); i++) {
                if (i != at && keys[i] < most) {
                    near[(int) keys[i]]++;
                }
            }
        }
    }

    /** Checks the {@code count} nearest neighbours of each word. */
    public synchronized Result check(WordVectors vectors, int count) {
        double found = 0;
        double chance = 0;
        int ahead = 0;
        int words = 0;
        for (int word = 0; word < together.length; word++) {
            if (occurrences[word] == 0) {
                continue;
            }
            int[] neighbours = vectors.nearest(word, count, most);
            boolean[] taken = new boolean[most];
            taken[word] = true;
            for (int neighbour : neighbours) {
                taken[neighbour] = true;
            }
            double seen = 0;
            double expected = 0;
            for (int neighbour : neighbours) {
                double compared = compared(together[word], neighbour, taken);
                if (!Double.isNaN(compared)) {
                    seen += together[word][neighbour];
                    expected += compared;
                }
            }
            words++;
            found += seen / occurrences[word];
            chance += expected / occurrences[word];
            ahead += seen > expected ? 1 : 0;
        }
        return new Result(words, found / chance, ahead / (double) words);
    }

    /**
     * Returns how often words about as frequent as a neighbour stand there, on average: as many
     * that are more frequent as less frequent ones. As frequencies fall ever slower, these are
     * together more frequent than the neighbour, if anything. NaN where there are none.
     */
    private double compared(int[] near, int neighbour, boolean[] taken) {
        double sum = 0;
        int count = 0;
        int above = neighbour;
        int below = neighbour;
        for (; count < COMPARED; count += 2) {
            above = free(taken, above, -1);
            below = free(taken, below, 1);
            if (above < 0 || below == most) {
                break;
            }
            sum += near[above] + (double) near[below];
        }
        return sum / count;
    }

    private int free(boolean[] taken, int from, int step) {
        int at = from + step;
        while (at >= 0 && at < most && taken[at]) {
            at += step;
        }
        return at;
    }
}
