package io.github.flinkps.client;

/**
 * Unique keys of one table in the order in which their rows travel (sparse: by hash; dense:
 * ascending), with the way back from the keys it was made of. Immutable; may be shared by
 * operations and threads.
 */
public interface KeyList {
    /** Returns the table's name. */
    String table();

    /** Returns the number of unique keys. */
    int size();

    /** Returns the key at a position. */
    long key(int position);

    /**
     * Returns for each key that the list was made of, in that order, its position in the list. Do
     * not change the array.
     */
    int[] positions();

    /** Returns the bytes of heap that its keys, their hashes and their positions take. */
    default long sizeInBytes() {
        return 2L * Long.BYTES * size() + (long) Integer.BYTES * positions().length;
    }
}
