package io.github.flinkps.codec;

/** One column of a layout. */
record Column(String name, Kind kind) {
    enum Kind {
        /** int64. */
        KEY(1, 2, Long.BYTES),
        /** fixed_size_list of float32. */
        VALUE(2, 3, Float.BYTES),
        /** fixed_size_list of float16. */
        HALF(2, 3, Short.BYTES),
        /** fixed_size_list of uint16: the upper halves of float32. */
        UPPER_HALF(2, 3, Short.BYTES),
        /** fixed_size_list of int8: the values of a block, in units of its scale. */
        INT8(2, 3, Byte.BYTES),
        /** float32: the unit of a block. */
        SCALE(1, 2, Float.BYTES),
        /** binary. */
        BYTES(1, 3, Byte.BYTES),
        /** int32. */
        STEP(1, 2, Integer.BYTES);

        /** Field nodes in a record batch. */
        final int nodes;

        /** Buffers in a record batch, the data last. */
        final int buffers;

        /** Bytes of an item. */
        final int bytes;

        Kind(int nodes, int buffers, int bytes) {
            this.nodes = nodes;
            this.buffers = buffers;
            this.bytes = bytes;
        }

        /** Returns whether each row is a list of values. */
        boolean isList() {
            return nodes == 2;
        }
    }
}
