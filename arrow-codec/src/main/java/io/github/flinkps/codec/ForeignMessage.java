package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;

/**
 * Prefix and envelope of an encapsulated message by any writer, checked against the bytes at hand.
 */
final class ForeignMessage {
    private static final int VERSION = 0;
    private static final int HEADER_TYPE = 1;
    private static final int HEADER = 2;
    private static final int BODY_LENGTH = 3;

    final MetadataTable header;
    final int bodyAt;
    final int bodyLength;

    /**
     * @throws CodecException NOT_A_BATCH if it is no message of that type, TRUNCATED if it is
     *     longer than {@code length}
     */
    ForeignMessage(ByteBuffer frame, int at, int length, byte type) {
        Envelope envelope = envelope(frame, at, length, type);
        header = envelope.header;
        bodyAt = envelope.bodyAt;
        if (envelope.bodyLength > at + length - bodyAt) {
            throw truncated(envelope.bodyLength, at + length - bodyAt, "body");
        }
        bodyLength = (int) envelope.bodyLength;
    }

    /**
     * A message's metadata, whose body may not be at hand.
     *
     * @param header the table of the message proper
     * @param bodyAt where the body begins
     * @param bodyLength its length, at least 0
     */
    record Envelope(MetadataTable header, int bodyAt, long bodyLength) {}

    static Envelope envelope(ByteBuffer frame, int at, int length, byte type) {
        int start = at + ArrowMetadata.PREFIX_BYTES;
        int bodyAt = start + metadataLength(frame, at, length);
        MetadataTable message = MetadataTable.root(frame, start, bodyAt);
        short version = message.getShort(VERSION);
        if (version != MetadataVersion.V5) {
            throw notABatch(
                    "metadata version " + version + " instead of " + MetadataVersion.V5 + " (V5)");
        }
        byte found = message.getByte(HEADER_TYPE);
        MetadataTable header = message.getTable(HEADER);
        if (found != type || header == null) {
            throw notABatch("a message of type " + found + " instead of " + name(type));
        }
        long body = message.getLong(BODY_LENGTH);
        if (body < 0) {
            throw new CodecException(Reason.BAD_LENGTH, "a body of " + body + " bytes");
        }
        return new Envelope(header, bodyAt, body);
    }

    /** Checks the prefix: the length of the metadata, which lies within {@code length}. */
    static int metadataLength(ByteBuffer frame, int at, int length) {
        if (length < ArrowMetadata.PREFIX_BYTES) {
            throw truncated(ArrowMetadata.PREFIX_BYTES, length, "prefix");
        }
        if (LittleEndian.getInt(frame, at) != ArrowMetadata.CONTINUATION) {
            throw notABatch("no continuation mark");
        }
        int metadataLength = LittleEndian.getInt(frame, at + Integer.BYTES);
        if (metadataLength == 0) {
            throw notABatch("the end of a stream");
        }
        if (metadataLength < 0) {
            throw new CodecException(Reason.BAD_LENGTH, "metadata of " + metadataLength + " bytes");
        }
        if (metadataLength > length - ArrowMetadata.PREFIX_BYTES) {
            throw truncated(metadataLength, length - ArrowMetadata.PREFIX_BYTES, "metadata");
        }
        if (metadataLength % Long.BYTES != 0) {
            throw new CodecException(Reason.MISALIGNED, "metadata of " + metadataLength + " bytes");
        }
        return metadataLength;
    }

    private static String name(byte type) {
        return type + " (" + MessageHeader.name(type) + ")";
    }

    private static CodecException notABatch(String what) {
        return new CodecException(
                Reason.NOT_A_BATCH, "not a message of the kind expected: " + what);
    }

    private static CodecException truncated(long needed, long present, String part) {
        return new CodecException(
                Reason.TRUNCATED,
                "the " + part + " needs " + needed + " bytes, " + present + " are there");
    }
}
