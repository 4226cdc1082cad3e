package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Mean, deviation and a sample of the numbers of a column, by Welford's method, merged by that of
 * Chan, Golub and LeVeque (Algorithms for computing the sample variance, 1983); the sample is
 * Vitter's reservoir. Not thread-safe.
 */
final class ColumnStatistics {
    private static final int SAMPLE = 1 << 14;

    private final SplittableRandom random;
    private double[] sample = new double[16];
    private long count;
    private double mean;
    private double squares;

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
    }

    /** Adds zeros for the rows in which the column was absent. */
    void addZeros(long zeros) {
        if (zeros > 0) {
            double delta = -mean;
            long all = count + zeros;
            squares += delta * delta * count * zeros / all;
            mean += delta * zeros / all;
            count = all;
        }
    }

    long count() {
        return count;
    }

    /** Scaling by what was seen; by the deviation alone unless {@code centered}. */
    NumericScale standard(boolean centered) {
        double deviation = count == 0 ? 0 : Math.sqrt(squares / count);
        double factor = deviation > 0 ? 1 / deviation : 1;
        return new NumericScale(NumericTransform.STANDARD, centered ? mean : 0, factor, List.of());
    }

    /**
     * Adds what another saw, behind what was seen here; samples are handled by {@link #buckets}.
     */
    static ColumnStatistics merge(List<ColumnStatistics> parts) {
        ColumnStatistics merged = new ColumnStatistics(0);
        for (ColumnStatistics part : parts) {
            if (part.count > 0) {
                long all = merged.count + part.count;
                double delta = part.mean - merged.mean;
                merged.squares += part.squares + delta * delta * merged.count * part.count / all;
                merged.mean += delta * part.count / all;
                merged.count = all;
            }
        }
        return merged;
    }

    /** Bounds of at most {@code buckets} buckets that hold about as many numbers each. */
    static NumericScale buckets(List<ColumnStatistics> parts, int buckets) {
        int size = 0;
        for (ColumnStatistics part : parts) {
            size += (int) Math.min(part.count, SAMPLE);
        }
        double[] all = new double[size];
        int at = 0;
        for (ColumnStatistics part : parts) {
            int length = (int) Math.min(part.count, SAMPLE);
            System.arraycopy(part.sample, 0, all, at, length);
            at += length;
        }
        Arrays.sort(all);
        List<Double> bounds = new ArrayList<>();
        for (int i = 1; i < buckets && size > 0; i++) {
            double bound = all[(int) ((long) size * i / buckets)];
            if (bound > all[0] && (bounds.isEmpty() || bound > bounds.get(bounds.size() - 1))) {
                bounds.add(bound);
            }
        }
        return new NumericScale(NumericTransform.BUCKET, 0, 1, bounds);
    }
}
