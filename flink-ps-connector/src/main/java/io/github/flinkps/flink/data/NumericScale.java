package io.github.flinkps.flink.data;

import java.io.Serializable;
import java.util.List;

/**
 * The scaling of the numbers of one column.
 *
 * @param transform the kind
 * @param center what is taken away first (standard, auto), of the logarithm (log)
 * @param factor by which the rest is multiplied
 * @param bounds ascending; bucket {@code i} holds the numbers from {@code bounds[i - 1]} on and
 *     below {@code bounds[i]} (bucket)
 */
public record NumericScale(
        NumericTransform transform, double center, double factor, List<Double> bounds)
        implements Serializable {
    /** Leaves numbers as they are. */
    public static final NumericScale NONE = of(NumericTransform.NONE);

    /** Takes logarithms. */
    public static final NumericScale LOG = of(NumericTransform.LOG);

    private static final long serialVersionUID = 1L;

    public NumericScale {
        bounds = List.copyOf(bounds);
    }

    private static NumericScale of(NumericTransform transform) {
        return new NumericScale(transform, 0, 1, List.of());
    }

    /** Returns the number that a model sees for a value; not for buckets. */
    public float apply(double value) {
        return switch (transform) {
            case NONE -> (float) value;
            case STANDARD, AUTO -> (float) ((value - center) * factor);
            case LOG -> (float) ((logarithm(value) - center) * factor);
            case BUCKET -> throw new IllegalStateException("a bucket is not a number");
        };
    }

    /** Returns the logarithm of one more than the size of a number, with its sign. */
    static double logarithm(double value) {
        return Math.copySign(Math.log1p(Math.abs(value)), value);
    }

    /** Returns it as SQL's option {@code numeric} says it; not for buckets. */
    public String text() {
        return switch (transform) {
            case NONE -> "none";
            case STANDARD, AUTO -> "standard(" + center + ", " + 1 / factor + ")";
            case LOG -> "log(" + center + ", " + 1 / factor + ")";
            case BUCKET -> throw new IllegalStateException("a bucket has bounds");
        };
    }

    /** Returns the bucket that a number lies in, from 0. */
    public int bucket(double value) {
        int low = 0;
        int high = bounds.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (value < bounds.get(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
