package io.github.flinkps.client;

import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.common.TableSpec;
import java.io.Serializable;

/**
 * The encodings by which a session pushes gradients and pulls values. Servers keep, and sum up, all
 * of them as float32. Those of small dense tables, as of a bias, are never rounded: they would gain
 * nothing.
 *
 * @param push of gradients
 * @param pull of values
 */
public record ValueEncodings(ValueEncoding push, ValueEncoding pull) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Encodings that round nothing. */
    public static final ValueEncodings EXACT =
            new ValueEncodings(ValueEncoding.FP32, ValueEncoding.FP32);

    private static final int FEWEST_VALUES = 64;

    /**
     * Returns what goes for a table. By the table, not by what is sent, so that it never varies.
     */
    ValueEncodings of(TableSpec table) {
        boolean small = !table.isSparse() && table.size() < FEWEST_VALUES / table.width();
        return small ? EXACT : this;
    }
}
