package io.github.flinkps.model.cut;

/**
 * The file of the pushes of unfinished rounds, little endian. Its length and checksum are in the
 * manifest. It begins with {@link #MAGIC} and the format version (int), and ends with {@link #END}
 * in place of a number of bytes. Each push has, in this order:
 *
 * <ul>
 *   <li>the number of bytes behind this number (int)
 *   <li>table, partition, worker, rows and width (ints)
 *   <li>round (long)
 *   <li>weight of the push, and of the worker's mini-batch (doubles)
 *   <li>keys (longs)
 *   <li>gradients (floats)
 * </ul>
 */
final class RoundFormat {
    /** {@code FPSROUND}. */
    static final long MAGIC = 0x444E_554F_5253_5046L;

    static final int VERSION = 1;
    static final int END = -1;
    static final int START_BYTES = Long.BYTES + Integer.BYTES;
    static final int PUSH_BYTES = 5 * Integer.BYTES + 3 * Long.BYTES;
    static final int BUFFER_BYTES = 256 << 10;

    private RoundFormat() {}

    /** Returns the bytes of a push, without the number of them that stands before it. */
    static long bytes(int rows, int width) {
        return PUSH_BYTES + (long) rows * (Long.BYTES + (long) width * Float.BYTES);
    }
}
