package io.github.flinkps.model.cut;

import io.github.flinkps.codec.ColumnCopy;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Writes a file of pushes through one buffer, which {@link #close} releases. */
final class RoundFileWriter implements Closeable {
    private final ModelStorage.Output output;
    private final ArrowBuf buffer;
    private final ByteBuffer block;
    private final CRC32C crc = new CRC32C();
    private long pushes;
    private long bytes;

    RoundFileWriter(ModelStorage storage, String file, BufferAllocator allocator)
            throws IOException {
        this.buffer = allocator.buffer(RoundFormat.BUFFER_BYTES);
        try {
            this.block =
                    buffer.nioBuffer(0, RoundFormat.BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            this.output = storage.create(file);
        } catch (IOException | RuntimeException | Error e) {
            buffer.close();
            throw e;
        }
        block.putLong(RoundFormat.MAGIC).putInt(RoundFormat.VERSION);
    }

    /**
     * @param width of the table
     * @throws IllegalArgumentException if it is too large for one push, before anything is written
     */
    void append(RoundPush push, int width) throws IOException {
        int rows = push.keys().length;
        long size = RoundFormat.bytes(rows, width);
        if (push.gradients().length != (long) rows * width || size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    push + " has " + push.gradients().length + " gradients of width " + width);
        }
        reserve(Integer.BYTES + RoundFormat.PUSH_BYTES);
        block.putInt((int) size).putInt(push.table()).putInt(push.partition());
        block.putInt(push.worker()).putInt(rows).putInt(width).putLong(push.clock());
        block.putDouble(push.weight()).putDouble(push.workerWeight());
        for (int from = 0; from < rows; ) {
            int count = Math.min(rows - from, room(Long.BYTES));
            ColumnCopy.putLongs(block, block.position(), push.keys(), from, count);
            block.position(block.position() + count * Long.BYTES);
            from += count;
        }
        for (int from = 0; from < push.gradients().length; ) {
            int count = Math.min(push.gradients().length - from, room(Float.BYTES));
            ColumnCopy.putFloats(block, block.position(), push.gradients(), from, count);
            block.position(block.position() + count * Float.BYTES);
            from += count;
        }
        pushes++;
    }

    /** Returns how many numbers fit the buffer, at least one. */
    private int room(int each) throws IOException {
        reserve(each);
        return block.remaining() / each;
    }

    private void reserve(int count) throws IOException {
        if (block.remaining() < count) {
            flush();
        }
    }

    private void flush() throws IOException {
        block.flip();
        crc.update(block.duplicate());
        bytes += block.remaining();
        output.write(block);
        block.clear();
    }

    /** Ends the file and makes it survive. */
    StoredFile finish(String path) throws IOException {
        reserve(Integer.BYTES);
        block.putInt(RoundFormat.END);
        flush();
        output.sync();
        output.close();
        return new StoredFile(path, pushes, bytes, (int) crc.getValue());
    }

    /** Closes the file, either after {@link #finish} or to give it up. */
    @Override
    public void close() throws IOException {
        buffer.close();
        output.close();
    }
}
