package io.github.flinkps.flink.metrics;

import java.util.Arrays;

/** Vectors of words, of length 1, to find those that point the same way. Immutable. */
public final class WordVectors {
    private final float[] values;
    private final int width;

    /**
     * @param rows of {@code width} each, the vectors in the order of the vocabulary
     */
    public WordVectors(float[] rows, int width) {
        this.values = rows.clone();
        this.width = width;
        for (int at = 0; at < values.length; at += width) {
            double squares = 0;
            for (int i = at; i < at + width; i++) {
                squares += (double) values[i] * values[i];
            }
            double length = Math.sqrt(squares);
            for (int i = at; i < at + width && length > 0; i++) {
                values[i] /= (float) length;
            }
        }
    }

    public int words() {
        return values.length / width;
    }

    /** Returns the cosine of the angle between two words. */
    public double cosine(int one, int other) {
        double sum = 0;
        for (int i = 0; i < width; i++) {
            sum += (double) values[one * width + i] * values[other * width + i];
        }
        return sum;
    }

    /**
     * Returns the nearest other words, the nearest first.
     *
     * @param count at most how many
     * @param among the first words, from which they are taken
     */
    public int[] nearest(int word, int count, int among) {
        int most = Math.min(among, words());
        int[] found = new int[Math.min(count, most)];
        double[] cosines = new double[found.length];
        int size = 0;
        for (int other = 0; other < most; other++) {
            double cosine = other == word ? Double.NEGATIVE_INFINITY : cosine(word, other);
            if (other == word || size == found.length && cosine <= cosines[size - 1]) {
                continue;
            }
            int at = size == found.length ? size - 1 : size++;
            for (; at > 0 && cosines[at - 1] < cosine; at--) {
                cosines[at] = cosines[at - 1];
                found[at] = found[at - 1];
            }
            cosines[at] = cosine;
            found[at] = other;
        }
        return Arrays.copyOf(found, size);
    }
}
