package io.github.flinkps.codec;

/** One column of a layout. */
record Column(String name, Kind kind) {
    enum Kind {
        /** int64. */
        KEY(1, 2),
        /** fixed_size_list of float32. */
        VALUE(2, 3),
        /** binary. */
        BYTES(1, 3),
        /** int32. */
        STEP(1, 2);

        /** Field nodes in a record batch. */
        final int nodes;

        /** Buffers in a record batch, the data last. */
        final int buffers;

        Kind(int nodes, int buffers) {
            this.nodes = nodes;
            this.buffers = buffers;
        }
    }
}
