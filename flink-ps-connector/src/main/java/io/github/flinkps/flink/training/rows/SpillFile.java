package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.data.RowBatch;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Rows in columns in a local file, in a folder of its own: written one after the other in large
 * blocks, read back by their place. One thread appends, another may {@link #read} what was flushed;
 * what has been written never changes.
 *
 * <p>Layout: {@link RowRecord}s, one after the other.
 */
final class SpillFile implements AutoCloseable {
    /** Bytes written at a time. */
    static final int BLOCK_BYTES = 1 << 20;

    private static final int FIRST_BYTES = 4096;
    private static final String FILE = "rows";

    private final Path folder;
    private final FileChannel channel;
    private final RowRecord writing = new RowRecord();
    private final RowRecord reading = new RowRecord();
    private DataOutputSerializer block = new DataOutputSerializer(FIRST_BYTES);
    private long flushed;

    /**
     * @param folder holds the file only, and is deleted with it
     * @param channel taken over
     */
    SpillFile(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Returns a new file in a new folder below {@code parent}. */
    static SpillFile create(Path parent) throws IOException {
        Path folder = Files.createTempDirectory(parent, "flink-ps-rows-");
        try {
            return new SpillFile(
                    folder,
                    FileChannel.open(
                            folder.resolve(FILE),
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE));
        } catch (IOException e) {
            Files.deleteIfExists(folder);
            throw e;
        }
    }

    Path folder() {
        return folder;
    }

    /** Returns the number of bytes appended, which is the place where the next rows begin. */
    long size() {
        return flushed + block.length();
    }

    /**
     * Appends rows, which may be read once they are flushed: {@link #size} before is their place.
     */
    void append(RowBatch rows) throws IOException {
        writing.append(rows, block);
        if (block.length() >= BLOCK_BYTES) {
            flush();
        }
    }

    /** Writes what is not written yet. */
    void flush() throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(block.getSharedBuffer(), 0, block.length());
        while (rest.hasRemaining()) {
            flushed += channel.write(rest, flushed);
        }
        block.clear();
        if (block.getSharedBuffer().length > 2 * BLOCK_BYTES) {
            block = new DataOutputSerializer(FIRST_BYTES);
        }
    }

    /** Reads the rows at a place; one thread at a time. */
    RowBatch read(long position, int length) throws IOException {
        fill(reading, channel, position, length);
        return reading.read();
    }

    private static void fill(RowRecord record, FileChannel from, long position, int length)
            throws IOException {
        ByteBuffer into = record.hold(length);
        while (into.hasRemaining()) {
            if (from.read(into, position + into.position()) < 0) {
                throw new EOFException("the file ends at " + from.size() + " bytes");
            }
        }
    }

    /**
     * Returns the rows at an offset, which were flushed. They are read through a file of their own:
     * that a thread is interrupted in the middle closes no other's.
     *
     * @param rows how many
     */
    RowSource source(long position, int length, int rows) {
        Path file = folder.resolve(FILE);
        return new RowSource() {
            @Override
            public int rows() {
                return rows;
            }

            @Override
            public void writeTo(RowRecord record) throws IOException {
                try (FileChannel own = FileChannel.open(file)) {
                    fill(record, own, position, length);
                }
            }
        };
    }

    /** Closes and deletes the file and its folder. */
    @Override
    public void close() throws IOException {
        try (channel) {
            Files.deleteIfExists(folder.resolve(FILE));
        } finally {
            Files.deleteIfExists(folder);
        }
    }
}
