package io.github.flinkps.client;

/**
 * Unique keys of one table in the order in which their rows travel (sparse: by hash; dense:
 * ascending), with the way back from the keys it was made of. Immutable; may be shared by
 * operations and threads.
 */
public interface KeyList {
    /** The table's name. */
    String table();

    /** Number of unique keys. */
    int size();

    /** The key at a position. */
    long key(int position);

    /**
     * For each key the list was made of, in that order, its position in the list. The array must
     * not be changed.
     */
    int[] positions();

    /** Bytes of heap of its keys, their hashes and their positions. */
    default long sizeInBytes() {
        return 2L * Long.BYTES * size() + (long) Integer.BYTES * positions().length;
    }
}
