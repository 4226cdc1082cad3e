package io.github.flinkps.flink.data;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * Keeps count, mean, deviation and range of numbers by Welford's method (Note on a method for
 * calculating corrected sums of squares and products, 1962), merged by that of Chan, Golub and
 * LeVeque (Algorithms for computing the sample variance, 1983). Not thread-safe.
 */
public final class NumberMoments {
    /** Numbers that differ by no more, in units in the last place, are one number rounded. */
    private static final int ROUNDED = 4;

    /** Deviations from the mean within which all numbers lie, unless few are far larger. */
    private static final double FAR = 20;

    private long count;
    private double mean;
    private double squares;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;

    /** Adds a finite number. */
    public void add(double value) {
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

    /** Adds what others saw. */
    public void merge(NumberMoments others) {
        if (others.count > 0) {
            merge(others.count, others.mean, others.squares);
            see(others.least, others.most);
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

    /** Returns how many numbers were added. */
    public long count() {
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
    public NumericScale standard(boolean centered) {
        double deviation = constant() ? 0 : Math.sqrt(squares / count);
        double factor = deviation > 0 ? 1 / deviation : 1;
        double center = count == 0 ? 0 : Math.max(least, Math.min(most, mean));
        return new NumericScale(
                NumericTransform.STANDARD, centered ? center : 0, factor, List.of());
    }

    /**
     * Returns the scaling of a column to mean 0 and deviation 1. Where a few numbers are so far
     * from the mean that they make all others alike, as counts and amounts often are, it is that of
     * their logarithms, if these are nearer.
     *
     * @param logs moments of {@code sign(x) log(1 + |x|)} of the same numbers
     */
    public NumericScale ofColumn(NumberMoments logs) {
        NumericScale plain = standard(true);
        if (farthest() <= FAR || 2 * logs.farthest() > farthest()) {
            return plain;
        }
        NumericScale scale = logs.standard(true);
        return new NumericScale(NumericTransform.LOG, scale.center(), scale.factor(), List.of());
    }

    /** Returns how far a number is from the mean, at most, in deviations; 0 of a constant. */
    private double farthest() {
        if (!Double.isFinite(squares)) {
            return Double.MAX_VALUE;
        }
        return constant() ? 0 : Math.max(most - mean, mean - least) / Math.sqrt(squares / count);
    }

    /** Adds the logarithm of a finite number, for {@link #ofColumn}. */
    public void addLog(double value) {
        add(NumericScale.logarithm(value));
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

    /** Writes what {@link #read} reads. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(count);
        out.writeDouble(mean);
        out.writeDouble(squares);
        out.writeDouble(least);
        out.writeDouble(most);
    }

    /** Reads what {@link #write} wrote. */
    public static NumberMoments read(DataInput in) throws IOException {
        NumberMoments read = new NumberMoments();
        read.count = in.readLong();
        read.mean = in.readDouble();
        read.squares = in.readDouble();
        read.least = in.readDouble();
        read.most = in.readDouble();
        return read;
    }
}
