package io.github.flinkps.common;

/**
 * The invertible hash that places the rows of a sparse table: {@code h = hash(key)}. The top bits
 * of {@code h} name the partition, the next ones the slot in its index. Two keys never share a
 * hash.
 *
 * <p>A table that declares a key space of {@code 2^B} keys permutes within it. The result stands in
 * the top B bits of {@code h}. So the sorted keys of a mini-batch have short differences on the
 * wire. Without a key space ({@code B = 64}) the hash is the finalizer of SplitMix64 (Steele, Lea,
 * Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). Immutable and thread-safe.
 */
public final class KeyHash {
    private static final long M1 = 0xBF58476D1CE4E5B9L;
    private static final long M2 = 0x94D049BB133111EBL;
    private static final long INVERSE_M1 = 0x96DE1B173F119089L;
    private static final long INVERSE_M2 = 0x319642B2D24D8EC3L;

    private final int bits;
    private final long mask;
    private final int shift;
    private final int up;

    private KeyHash(int bits) {
        this.bits = bits;
        this.mask = bits == 64 ? -1L : (1L << bits) - 1;
        this.shift = (bits + 1) / 2;
        this.up = 64 - bits;
    }

    /**
     * @param bits log2 of the size of the key space, 1 to 64
     */
    public static KeyHash of(int bits) {
        if (bits < 1 || bits > 64) {
            throw new IllegalArgumentException("key-bits must be between 1 and 64, not " + bits);
        }
        return new KeyHash(bits);
    }

    /** Returns log2 of the size of the key space. */
    public int bits() {
        return bits;
    }

    /** Returns whether {@code key} lies in the key space. */
    public boolean contains(long key) {
        return (key & ~mask) == 0;
    }

    /** Returns the hash of a key of the key space. */
    public long hash(long key) {
        if (bits == 64) {
            return mix64(key);
        }
        long z = key;
        z = ((z ^ (z >>> shift)) * M1) & mask;
        z = ((z ^ (z >>> shift)) * M2) & mask;
        return (z ^ (z >>> shift)) << up;
    }

    /** Returns the key whose hash is {@code hash}. */
    public long key(long hash) {
        if (bits == 64) {
            return unmix64(hash);
        }
        long z = hash >>> up;
        z = z ^ (z >>> shift);
        z = (z * INVERSE_M2) & mask;
        z = z ^ (z >>> shift);
        z = (z * INVERSE_M1) & mask;
        return z ^ (z >>> shift);
    }

    /** Returns the finalizer of SplitMix64, a bijection of the 64-bit integers. */
    public static long mix64(long key) {
        long z = key;
        z = (z ^ (z >>> 30)) * M1;
        z = (z ^ (z >>> 27)) * M2;
        return z ^ (z >>> 31);
    }

    /** Returns the inverse of {@link #mix64}. */
    public static long unmix64(long hash) {
        long z = hash;
        z = z ^ (z >>> 31) ^ (z >>> 62);
        z = z * INVERSE_M2;
        z = z ^ (z >>> 27) ^ (z >>> 54);
        z = z * INVERSE_M1;
        return z ^ (z >>> 30) ^ (z >>> 60);
    }
}
