package io.github.flinkps.flink.algorithm;

/**
 * Takes the gradients that a model adds. The arrays belong to the worker and are valid during the
 * call.
 */
public interface Gradients {
    /**
     * Returns the gradients of a table, in the shape of {@link Parameters#values}, zero at first:
     * what is at row {@code r} becomes the push of the key whose values are there.
     */
    float[] values(int table);
}
