package io.github.flinkps.harness.bench;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;

/**
 * Gradients of small whole numbers, and a learning rate of a power of two, so that the values after
 * any number of pushes are known exactly.
 */
final class Values {
    static final double RATE = 1.0 / 1024;

    private Values() {}

    private static int gradient(int position, int column) {
        return 1 + (position + column) % 3;
    }

    static float[] gradients(int rows, int width) {
        float[] gradients = new float[rows * width];
        for (int i = 0; i < gradients.length; i++) {
            gradients[i] = gradient(i / width, i % width);
        }
        return gradients;
    }

    /** Compares values with those after a number of pushes of {@link #gradients}. */
    static void check(String table, float[] values, int rows, int width, long pushes) {
        for (int i = 0; i < rows * width; i++) {
            double expected = -pushes * RATE * gradient(i / width, i % width);
            if (values[i] != (float) expected && pushes < 1 << 22) {
                throw new PsException(
                        ErrorCode.INTERNAL,
                        "value "
                                + i
                                + " of table '"
                                + table
                                + "' is "
                                + values[i]
                                + " after "
                                + pushes
                                + " pushes, not "
                                + expected);
            }
        }
    }
}
