package io.github.flinkps.common;

import java.io.Serializable;

/**
 * The definition of a table: rows of {@code width} float32 values, each under an int64 key. Dense
 * tables have the keys 0 to {@code size - 1}; sparse ones any key of their key space.
 *
 * @param name unique in its model, 1 to 128 characters
 * @param size number of rows of a dense table, or {@link #SPARSE}
 * @param keyBits sparse: log2 of the key space, 1 to 64 (64: any int64); dense: 64
 * @param width values per row, 1 to 4096
 * @param partitions units of placement: a power of two for sparse tables, at most {@value
 *     #MAX_PARTITIONS}
 * @param initializer values of untouched rows
 * @param update the function that applies pushes
 * @param seed of the initializer
 */
public record TableSpec(
        String name,
        long size,
        int keyBits,
        int width,
        int partitions,
        InitializerSpec initializer,
        UpdateSpec update,
        long seed)
        implements Serializable {
    /** The size of a sparse table. */
    public static final long SPARSE = -1;

    public static final int DEFAULT_PARTITIONS = 64;

    /**
     * Fewest values of a partition of a dense table unless their number is given: shorter ones
     * would cost more to go from one to the next than to update.
     */
    public static final int MIN_PARTITION_VALUES = 4096;

    public static final int MAX_PARTITIONS = 1 << 16;
    public static final int MAX_WIDTH = 4096;

    public TableSpec {
        if (name.isEmpty() || name.length() > 128) {
            throw new IllegalArgumentException(
                    "table name must have 1 to 128 characters: '" + name + "'");
        }
        if (width < 1 || width > MAX_WIDTH) {
            throw refused(name, "width must be between 1 and " + MAX_WIDTH + ", not " + width);
        }
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            throw refused(
                    name,
                    "partitions must be between 1 and " + MAX_PARTITIONS + ", not " + partitions);
        }
        if (size != SPARSE && size < 1) {
            throw refused(name, "size must be at least 1, not " + size);
        }
        if (size == SPARSE) {
            KeyHash.of(keyBits);
            if (Integer.bitCount(partitions) != 1) {
                throw refused(
                        name,
                        "partitions of a sparse table must be a power of two, not " + partitions);
            }
            if (keyBits < 64 && partitions > 1L << Math.min(keyBits, 62)) {
                throw refused(
                        name, "partitions must be at most the key space's 2^" + keyBits + " keys");
            }
        } else if (keyBits != 64) {
            throw refused(name, "key-bits is for sparse tables only");
        } else if (size > (long) partitions * Integer.MAX_VALUE / 2) {
            throw refused(name, "size " + size + " needs more than " + partitions + " partitions");
        }
    }

    private static IllegalArgumentException refused(String name, String why) {
        return new IllegalArgumentException("table '" + name + "': " + why);
    }

    /** Returns a sparse table over all int64 keys, zero at first. */
    public static TableSpec sparse(String name, int width, UpdateSpec update) {
        return new TableSpec(
                name, SPARSE, 64, width, DEFAULT_PARTITIONS, InitializerSpec.zero(), update, 0);
    }

    /**
     * Returns a dense table of the keys 0 to {@code size - 1}, zero at first; small ones in few
     * parts.
     */
    public static TableSpec dense(String name, long size, int width, UpdateSpec update) {
        long rows = Math.max(1, MIN_PARTITION_VALUES / Math.max(1, width));
        int partitions = (int) Math.max(1, Math.min(DEFAULT_PARTITIONS, size / rows));
        return new TableSpec(name, size, 64, width, partitions, InitializerSpec.zero(), update, 0);
    }

    public TableSpec withKeyBits(int bits) {
        return new TableSpec(name, size, bits, width, partitions, initializer, update, seed);
    }

    public TableSpec withPartitions(int count) {
        return new TableSpec(name, size, keyBits, width, count, initializer, update, seed);
    }

    public TableSpec withInitializer(InitializerSpec spec, long newSeed) {
        return new TableSpec(name, size, keyBits, width, partitions, spec, update, newSeed);
    }

    public TableSpec withUpdate(UpdateSpec spec) {
        return new TableSpec(name, size, keyBits, width, partitions, initializer, spec, seed);
    }

    public boolean isSparse() {
        return size == SPARSE;
    }

    /** Returns log2 of the number of partitions (sparse tables). */
    public int partitionBits() {
        return Integer.numberOfTrailingZeros(partitions);
    }

    /**
     * Returns the rows of every partition of a dense table but the last ones, which may have fewer
     * or none.
     */
    public long rowsPerPartition() {
        return (size + partitions - 1) / partitions;
    }

    /** Returns the partition of a hash (sparse) . */
    public int partitionOfHash(long hash) {
        int bits = partitionBits();
        return bits == 0 ? 0 : (int) (hash >>> (64 - bits));
    }

    /** Returns the first key of a partition of a dense table, at most {@code size}. */
    public long firstKey(int partition) {
        return Math.min(size, partition * rowsPerPartition());
    }
}
