package io.github.flinkps.protocol;

import java.nio.ByteBuffer;

/**
 * Reads and writes a section of an EXCHANGE in place: the push or pull of rows of one table,
 * {@value #BYTES} bytes.
 *
 * <pre>
 *  0 int32   table
 *  4 int8    addressing: 1 keys, 2 cached, 3 range, 4 delta
 *  5 int8    encoding of a push's values, or wanted of a pull's: {@code ValueEncoding}
 *  8 int64   signature of the keys
 * 16 int64   first key of the range
 * 24 int64   end of the range, exclusive
 * 32 float64 sum of row weights (push)
 * 40 int32   number of rows
 * 44 int32   explicit sequences of this section
 * 48 int32   offset in the frame, 52 length: message of keys
 * 56 int32   offset in the frame, 60 length: message of values
 * </pre>
 *
 * The keys of a message are unique, and in the order of their hashes (sparse) or ascending (dense);
 * addressing {@link #DELTA} carries the hashes themselves, coded by {@code DeltaKeys}. A range
 * covers the rows of this owner's partitions, ascending.
 *
 * <p>All methods take the whole frame, little endian, and where the section begins in it ({@link
 * ExchangeHeader#section}).
 */
public final class ExchangeSection {
    public static final int BYTES = 64;

    public static final int KEYS = 1;
    public static final int CACHED = 2;
    public static final int RANGE = 3;
    public static final int DELTA = 4;

    private ExchangeSection() {}

    /** Writes which table the rows are of, how they are named, and how their values travel. */
    public static void putTable(
            ByteBuffer frame, int at, int table, int addressing, int valueEncoding) {
        frame.putInt(at, table).putInt(at + 4, addressing | valueEncoding << Byte.SIZE);
    }

    /** Writes which rows: the signature of their keys, or their range. */
    public static void putRows(
            ByteBuffer frame, int at, long signature, long firstKey, long endKey, int rows) {
        frame.putLong(at + 8, signature).putLong(at + 16, firstKey).putLong(at + 24, endKey);
        frame.putInt(at + 40, rows);
    }

    /** Writes what a push has beside its values. */
    public static void putPush(ByteBuffer frame, int at, double weight, int explicitSequences) {
        frame.putDouble(at + 32, weight).putInt(at + 44, explicitSequences);
    }

    public static void putKeys(ByteBuffer frame, int at, int offset, int length) {
        frame.putInt(at + 48, offset).putInt(at + 52, length);
    }

    public static void putValues(ByteBuffer frame, int at, int offset, int length) {
        frame.putInt(at + 56, offset).putInt(at + 60, length);
    }

    public static int table(ByteBuffer frame, int at) {
        return frame.getInt(at);
    }

    public static int addressing(ByteBuffer frame, int at) {
        return frame.get(at + 4);
    }

    public static int valueEncoding(ByteBuffer frame, int at) {
        return frame.get(at + 5);
    }

    public static long signature(ByteBuffer frame, int at) {
        return frame.getLong(at + 8);
    }

    public static long firstKey(ByteBuffer frame, int at) {
        return frame.getLong(at + 16);
    }

    public static long endKey(ByteBuffer frame, int at) {
        return frame.getLong(at + 24);
    }

    public static double weight(ByteBuffer frame, int at) {
        return frame.getDouble(at + 32);
    }

    public static int rows(ByteBuffer frame, int at) {
        return frame.getInt(at + 40);
    }

    public static int explicitSequences(ByteBuffer frame, int at) {
        return frame.getInt(at + 44);
    }

    public static int keysOffset(ByteBuffer frame, int at) {
        return frame.getInt(at + 48);
    }

    public static int keysLength(ByteBuffer frame, int at) {
        return frame.getInt(at + 52);
    }

    public static int valuesOffset(ByteBuffer frame, int at) {
        return frame.getInt(at + 56);
    }

    public static int valuesLength(ByteBuffer frame, int at) {
        return frame.getInt(at + 60);
    }
}
