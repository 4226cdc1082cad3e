package io.github.flinkps.flink.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Keeps the moments of the numbers of a column, and a sample of them by Vitter's reservoir (Random
 * sampling with a reservoir, 1985). Not thread-safe.
 */
final class ColumnStatistics {
    private static final int SAMPLE = 1 << 14;

    private final SplittableRandom random;
    private final NumberMoments moments = new NumberMoments();
    private double[] sample = new double[16];

    ColumnStatistics(long seed) {
        this.random = new SplittableRandom(seed);
    }

    void add(double value) {
        long count = moments.count();
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
        moments.add(value);
    }

    long count() {
        return moments.count();
    }

    /** Returns what all saw, without samples: those are for {@link #buckets}. */
    static NumberMoments merge(List<ColumnStatistics> parts) {
        NumberMoments merged = new NumberMoments();
        parts.forEach(part -> merged.merge(part.moments));
        return merged;
    }

    private int sampled() {
        return (int) Math.min(count(), SAMPLE);
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
                all.add(new Sampled(part.sample[i], (double) part.count() / sampled));
            }
            total += part.count();
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
