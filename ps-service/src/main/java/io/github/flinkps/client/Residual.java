package io.github.flinkps.client;

/**
 * Updates of a worker that it has not pushed, of keys of a table that lie in one part of their
 * hashes. The arrays may be longer than what they hold and must not be changed.
 *
 * @param table its name
 * @param width values of a row
 * @param rows their number
 * @param keys of the rows, each once
 * @param values of the rows, one after the other; where the table's update steps with the mean,
 *     each gradient over the weight of its mini-batch, else gradients as they are
 */
public record Residual(String table, int width, int rows, long[] keys, float[] values) {
    public Residual {
        if (width < 1 || rows < 0 || keys.length < rows || values.length < (long) rows * width) {
            throw new IllegalArgumentException(
                    "a residual of " + rows + " rows of table '" + table + "' is damaged");
        }
    }
}
