package io.github.flinkps.model;

import io.github.flinkps.codec.BatchLayout;

/**
 * The division of rows into the record batches of a model's files; part of the format. A batch has
 * at most {@value #VALUES} values (or one row), so that reader and writer need one small buffer
 * whatever the model.
 */
public final class BlockFormat {
    public static final int VALUES = 64 * 1024;

    /** A size that suffices for any batch, rounded up as Arrow's allocators round. */
    public static final long BUFFER_BYTES = 8L << 20;

    private BlockFormat() {}

    public static int rowsPerBlock(int width) {
        return Math.max(1, VALUES / width);
    }

    public static int bufferSize(BatchLayout layout) {
        return layout.encodedSize(rowsPerBlock(layout.width()));
    }
}
