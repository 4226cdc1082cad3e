package io.github.flinkps.flink.training;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchSerializer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Rows as they are in files: a batch as {@link RowBatchSerializer} writes it, followed by its
 * CRC-32C. Holds one, and its memory for the next. One thread.
 */
final class RowRecord {
    private static final int FIRST_BYTES = 4096;

    private final RowBatchSerializer serializer = new RowBatchSerializer();
    private final DataInputDeserializer input = new DataInputDeserializer();
    private final DataOutputSerializer written = new DataOutputSerializer(FIRST_BYTES);
    private byte[] bytes = new byte[0];
    private int length;

    /** Appends rows to a block of records. */
    void append(RowBatch rows, DataOutputSerializer block) throws IOException {
        int start = block.length();
        serializer.serialize(rows, block);
        block.writeInt(checksum(block.getSharedBuffer(), start, block.length() - start));
    }

    /** Holds these rows. */
    void hold(RowBatch rows) throws IOException {
        written.clear();
        append(rows, written);
        bytes = written.getSharedBuffer();
        length = written.length();
    }

    /** Holds a record of so many bytes, to be filled in. */
    ByteBuffer hold(int recordLength) {
        if (bytes.length < recordLength) {
            bytes = new byte[recordLength];
        }
        length = recordLength;
        return bytes();
    }

    /** Holds the record of so many bytes that a stream has next. */
    void hold(InputStream in, int recordLength) throws IOException {
        hold(recordLength);
        if (in.readNBytes(bytes, 0, length) < length) {
            throw new EOFException("the file ends too early");
        }
    }

    /** The record it holds. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /**
     * The rows it holds.
     *
     * @throws IOException if they are not what was written
     */
    RowBatch read() throws IOException {
        int payload = length - Integer.BYTES;
        if (payload < 0 || checksum(bytes, 0, payload) != bytes().getInt(payload)) {
            throw new IOException("the rows do not match their checksum");
        }
        input.setBuffer(bytes, 0, payload);
        return serializer.deserialize(input);
    }

    private static int checksum(byte[] of, int from, int count) {
        CRC32C crc = new CRC32C();
        crc.update(of, from, count);
        return (int) crc.getValue();
    }
}
