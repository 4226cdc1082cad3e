package io.github.flinkps.flink.data;

import io.github.flinkps.common.Range;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.commons.codec.digest.MurmurHash3;

/**
 * Keys of features: the low bits of murmur3_128 (x64, seed 0) of the column's name in UTF-8, a byte
 * 0 and the value's bytes. One per thread and column; keeps the name in front of a buffer.
 */
public final class FeatureHash {
    /** The range of the number of bits that keys may have. */
    public static final Range<Integer> BITS = Range.between(1, 64);

    private int prefix;
    private final long mask;
    private byte[] bytes;
    private int length;

    /**
     * @param column its name
     * @param bits of the keys, within {@link #BITS}
     */
    public FeatureHash(String column, int bits) {
        byte[] name = column.getBytes(StandardCharsets.UTF_8);
        prefix = name.length + 1;
        bytes = Arrays.copyOf(name, prefix + 64);
        mask = bits == 64 ? -1L : (1L << bits) - 1;
        length = prefix;
    }

    /** Makes the keys those of another column from now on, whose name is text in UTF-8. */
    public FeatureHash column(byte[] name, int from, int to) {
        length = 0;
        add(name, from, to).add((byte) 0);
        prefix = length;
        return this;
    }

    /** Begins a value. */
    public FeatureHash begin() {
        length = prefix;
        return this;
    }

    /** Adds bytes of the value. */
    public FeatureHash add(byte[] value, int from, int to) {
        int more = to - from;
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        System.arraycopy(value, from, bytes, length, more);
        length += more;
        return this;
    }

    /** Adds one byte. */
    public FeatureHash add(byte value) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        bytes[length++] = value;
        return this;
    }

    /** Returns the key of the value added since {@link #begin}. */
    public long key() {
        return MurmurHash3.hash128x64(bytes, 0, length, 0)[0] & mask;
    }

    /** Returns the key of a text. */
    public long key(String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        return begin().add(text, 0, text.length).key();
    }
}
