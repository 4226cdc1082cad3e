package io.github.flinkps.model;

import io.github.flinkps.codec.BatchFileFormat;
import io.github.flinkps.codec.BatchFileFormat.BatchBlock;
import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.ColumnCopy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Writes the file of one partition through one buffer, to which {@link #close} lets go. */
final class PartitionFileWriter implements Closeable {
    private final BatchLayout layout;
    private final ModelStorage.Output output;
    private final ArrowBuf buffer;
    private final ByteBuffer block;
    private final List<BatchBlock> blocks = new ArrayList<>();
    private final CRC32C crc = new CRC32C();
    private long rows;
    private long bytes;

    PartitionFileWriter(
            BatchLayout layout, ModelStorage storage, String file, BufferAllocator allocator)
            throws IOException {
        this(layout, storage, file, allocator.buffer(BlockFormat.bufferSize(layout)));
    }

    /** Takes over a reference to a buffer of at least {@link BlockFormat#bufferSize} bytes. */
    PartitionFileWriter(BatchLayout layout, ModelStorage storage, String file, ArrowBuf buffer)
            throws IOException {
        this.layout = layout;
        this.buffer = buffer;
        try {
            this.block = buffer.nioBuffer(0, BlockFormat.bufferSize(layout));
            this.output = storage.create(file);
        } catch (IOException | RuntimeException | Error e) {
            buffer.close();
            throw e;
        }
    }

    void start() throws IOException {
        write(BatchFileFormat.start(layout));
    }

    /** Writes rows {@code [from, from + count)} of a block, no more than a batch has. */
    void write(RowBlock source, int from, int count) throws IOException {
        int width = layout.width();
        layout.writeMetadata(block, 0, count);
        ColumnCopy.putLongs(block, layout.columnOffset(0, count), source.keys(), from, count);
        ColumnCopy.putFloats(
                block, layout.columnOffset(1, count), source.values(), from * width, count * width);
        for (int i = 0; i < layout.slotCount(); i++) {
            ColumnCopy.putFloats(
                    block,
                    layout.columnOffset(i + 2, count),
                    source.slots()[i],
                    from * width,
                    count * width);
        }
        if (layout.hasSteps()) {
            int at = layout.columnOffset(layout.slotCount() + 2, count);
            ColumnCopy.putInts(block, at, source.steps(), from, count);
        }
        blocks.add(new BatchBlock(bytes, count));
        rows += count;
        write(block.slice(0, layout.encodedSize(count)));
    }

    /** Ends the file and makes it survive. */
    StoredFile finish(String path) throws IOException {
        write(BatchFileFormat.end(layout, blocks));
        output.sync();
        output.close();
        return new StoredFile(path, rows, bytes, (int) crc.getValue());
    }

    private void write(ByteBuffer part) throws IOException {
        crc.update(part.duplicate());
        bytes += part.remaining();
        output.write(part);
    }

    /** Closes the file, either after {@link #finish} or to give it up. */
    @Override
    public void close() throws IOException {
        buffer.close();
        output.close();
    }
}
