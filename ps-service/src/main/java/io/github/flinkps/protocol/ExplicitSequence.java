package io.github.flinkps.protocol;

import java.nio.ByteBuffer;

/**
 * Reads and writes the position of a plain client's push in the log of one partition, {@value
 * #BYTES} bytes behind the sections of an EXCHANGE: int32 partition, int64 sequence. Those of a
 * section are in the order of its partitions, and behind those of the section before.
 *
 * <p>All methods take the whole frame, little endian, and where the position begins in it.
 */
public final class ExplicitSequence {
    public static final int BYTES = 12;

    private ExplicitSequence() {}

    public static void put(ByteBuffer frame, int at, int partition, long sequence) {
        frame.putInt(at, partition).putLong(at + 4, sequence);
    }

    public static int partition(ByteBuffer frame, int at) {
        return frame.getInt(at);
    }

    public static long sequence(ByteBuffer frame, int at) {
        return frame.getLong(at + 4);
    }
}
