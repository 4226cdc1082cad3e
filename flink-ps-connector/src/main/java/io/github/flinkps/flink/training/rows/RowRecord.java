package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchSerializer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Rows as they are in files: a batch as {@link RowBatchSerializer} writes it, followed by its
 * CRC-32C, which in files that outlive their process covers the file's name and the place there
 * too. Holds one, and its memory for the next. One thread.
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
            throw new EOFException();
        }
    }

    /** Returns the record it holds. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /**
     * Binds the rows it holds to a place, where alone they can be read then.
     *
     * @param path of the file, of which the name counts
     * @throws IOException if they are not what was written
     */
    void bind(String path, long position) throws IOException {
        check(checksum(bytes, 0, payload()));
        bytes().putInt(payload(), checksum(path, position));
    }

    /**
     * Returns the rows it holds, which are bound to no place.
     *
     * @throws IOException if they are not what was written
     */
    RowBatch read() throws IOException {
        check(checksum(bytes, 0, payload()));
        return deserialized();
    }

    /**
     * Returns the rows it holds, from a place to which they are bound.
     *
     * @throws IOException if they are not what was written there
     */
    RowBatch read(String path, long position) throws IOException {
        check(checksum(path, position));
        return deserialized();
    }

    private int payload() {
        return Math.max(0, length - Integer.BYTES);
    }

    private void check(int checksum) throws IOException {
        if (length < Integer.BYTES || checksum != bytes().getInt(payload())) {
            throw new IOException("the rows do not match their checksum");
        }
    }

    private RowBatch deserialized() throws IOException {
        input.setBuffer(bytes, 0, payload());
        return serializer.deserialize(input);
    }

    private int checksum(String path, long position) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, payload());
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(position).flip());
        return (int) crc.getValue();
    }

    private static int checksum(byte[] of, int from, int count) {
        CRC32C crc = new CRC32C();
        crc.update(of, from, count);
        return (int) crc.getValue();
    }
}
