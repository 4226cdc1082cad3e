package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Keeps mean, deviation, range and a sample of the numbers of a column, by Welford's method, merged
 * by that of Chan, Golub and LeVeque (Algorithms for computing the sample variance, 1983); the
 * sample is Vitter's reservoir. Not thread-safe.
 */
final class ColumnStatistics {
    private static final int SAMPLE = 1 << 14;

    /** Numbers that differ by no more, in units in the last place, are one number rounded. */
    private static final int ROUNDED = 4;

    private final SplittableRandom random;
    private double[] sample = new double[16];
    private long count;
    private double mean;
    private double squares;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;

    ColumnStatistics(long seed) {
        this.random = new SplittableRandom(seed);
    }

    void add(double value) {
        if (count < SAMPLE) {
            if (count == sample.length) {
                sample = Arrays.copyOf(sample, 2 * sample.length);
            }
            sample[(int) count] = value;
        } else {
            long place = random.nextLong(count + 1);
            if (place < SAMPLE) {
                sample[(int) place] = value;
            }
        }
        count++;
        double delta = value - mean;
        mean += delta / count;
        squares += delta * (value - mean);
        see(value, value);
    }

    private void see(double low, double high) {
        least = Math.min(least, low);
        most = Math.max(most, high);
    }

    /** Adds zeros for the rows in which the column was absent. */
    void addZeros(long zeros) {
        if (zeros > 0) {
            merge(zeros, 0, 0);
            see(0, 0);
        }
    }

    private void merge(long others, double theirMean, double theirSquares) {
        long all = count + others;
        double delta = theirMean - mean;
        // From nothing, exactly theirs: a rounded mean would make a deviation of a constant.
        mean = count == 0 ? theirMean : mean + delta * others / all;
        squares += theirSquares + (count == 0 ? 0 : delta * delta * count * others / all);
        count = all;
    }

    long count() {
        return count;
    }

    /** Returns whether all numbers are the same but for rounding. */
    private boolean constant() {
        return count == 0
                || most - least <= ROUNDED * Math.ulp(Math.max(Math.abs(least), Math.abs(most)));
    }

    /**
     * Returns the scaling by what was seen; by the deviation alone unless {@code centered}. The
     * factor of a constant is 1.
     */
    NumericScale standard(boolean centered) {
        double deviation = constant() ? 0 : Math.sqrt(squares / count);
        double factor = deviation > 0 ? 1 / deviation : 1;
        double center = count == 0 ? 0 : Math.max(least, Math.min(most, mean));
        return new NumericScale(
                NumericTransform.STANDARD, centered ? center : 0, factor, List.of());
    }

    /**
     * Returns the scaling of an index by the rows that have it: as a column's where {@code dense},
     * zeros included, else over the root of the mean of its squares.
     */
    NumericScale auto(boolean dense) {
        if (dense) {
            NumericScale standard = standard(true);
            return new NumericScale(
                    NumericTransform.AUTO, standard.center(), standard.factor(), List.of());
        }
        double size = count == 0 ? 0 : Math.sqrt(squares / count + mean * mean);
        return new NumericScale(NumericTransform.AUTO, 0, size > 0 ? 1 / size : 1, List.of());
    }

    /** Returns what all saw, without samples: those are for {@link #buckets}. */
    static ColumnStatistics merge(List<ColumnStatistics> parts) {
        ColumnStatistics merged = new ColumnStatistics(0);
        for (ColumnStatistics part : parts) {
            if (part.count > 0) {
                merged.merge(part.count, part.mean, part.squares);
                merged.see(part.least, part.most);
            }
        }
        return merged;
    }

    private int sampled() {
        return (int) Math.min(count, SAMPLE);
    }

    /**
     * Returns bounds of at most so many buckets that hold about as many numbers each. A number of a
     * sample counts for as many as its part saw for each of them.
     */
    static NumericScale buckets(List<ColumnStatistics> parts, int buckets) {
        List<Sampled> all = new ArrayList<>();
        double total = 0;
        for (ColumnStatistics part : parts) {
            int sampled = part.sampled();
            for (int i = 0; i < sampled; i++) {
                all.add(new Sampled(part.sample[i], (double) part.count / sampled));
            }
            total += part.count;
        }
        all.sort(Comparator.comparingDouble(Sampled::value));
        List<Double> bounds = new ArrayList<>();
        double below = 0;
        int next = 1;
        for (Sampled each : all) {
            below += each.weight;
            boolean bound = false;
            for (; next < buckets && below * buckets > total * next; next++) {
                bound = true;
            }
            if (bound && each.value > last(bounds, all.get(0).value)) {
                bounds.add(each.value);
            }
        }
        return new NumericScale(NumericTransform.BUCKET, 0, 1, bounds);
    }

    private static double last(List<Double> bounds, double least) {
        return bounds.isEmpty() ? least : bounds.get(bounds.size() - 1);
    }

    /** A number of a sample, and how many it stands for. */
    private record Sampled(double value, double weight) {}
}
