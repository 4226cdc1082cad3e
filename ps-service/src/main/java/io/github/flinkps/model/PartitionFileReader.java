package io.github.flinkps.model;

import io.github.flinkps.codec.BatchFileFormat;
import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.codec.CodecLimits;
import io.github.flinkps.codec.ColumnCopy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Reads the file of one partition through one buffer, which {@link #close} releases. */
final class PartitionFileReader implements Closeable {
    private final ModelFile file;
    private final String path;
    private final ModelStorage storage;
    private final BatchLayout layout;
    private final int startBytes;
    private final CodecLimits limits;
    private final ArrowBuf buffer;
    private final ByteBuffer block;

    PartitionFileReader(
            ModelTable table,
            ModelFile file,
            String path,
            ModelStorage storage,
            BufferAllocator allocator) {
        this.file = file;
        this.path = path;
        this.storage = storage;
        this.layout = BatchLayout.rows(table.spec().width(), table.slots());
        this.startBytes = BatchFileFormat.start(layout).remaining();
        int size = Math.max(startBytes, BlockFormat.bufferSize(layout));
        this.limits = new CodecLimits(size);
        this.buffer = allocator.buffer(size);
        this.block = buffer.nioBuffer(0, size);
    }

    /** Compares length and checksum with the manifest. */
    void verify() throws IOException {
        CRC32C crc = new CRC32C();
        long bytes = 0;
        try (ReadableByteChannel channel = storage.open(path)) {
            for (int count = channel.read(block.clear());
                    count >= 0;
                    count = channel.read(block.clear())) {
                crc.update(block.flip());
                bytes += count;
            }
        }
        if (bytes != file.bytes()) {
            throw ModelFailures.corrupt(
                    path, "it has " + bytes + " bytes instead of " + file.bytes());
        }
        if ((int) crc.getValue() != file.crc32c()) {
            throw ModelFailures.corrupt(path, "its checksum differs: it has been altered");
        }
    }

    /**
     * Hands out the rows; a file without rows may have been written before the number of slots was
     * known.
     */
    void read(Consumer<RowBlock> consumer) throws IOException {
        if (file.rows() == 0) {
            return;
        }
        long rows = 0;
        try (ReadableByteChannel channel = storage.open(path)) {
            fill(channel, 0, startBytes);
            BatchFileFormat.checkStart(layout, block, 0, startBytes);
            RowBlock arrays = null;
            for (int size = nextBatch(channel); size > 0; size = nextBatch(channel)) {
                BatchView view = layout.read(block, 0, size);
                if (arrays == null || arrays.keys().length < view.rows()) {
                    arrays = arrays(view.rows());
                }
                rows += view.rows();
                consumer.accept(copy(view, arrays));
            }
        }
        if (rows != file.rows()) {
            throw ModelFailures.corrupt(path, "it has " + rows + " rows instead of " + file.rows());
        }
    }

    /** Reads the next batch to the start of the buffer: its size, 0 at the end. */
    private int nextBatch(ReadableByteChannel channel) throws IOException {
        int prefix = BatchFileFormat.prefixSize();
        fill(channel, 0, prefix);
        int metadata = BatchFileFormat.metadataSize(block, 0, limits);
        if (metadata == 0) {
            return 0;
        }
        fill(channel, prefix, metadata);
        int size = BatchFileFormat.batchSize(block, 0, metadata, limits);
        fill(channel, metadata, size);
        return size;
    }

    private void fill(ReadableByteChannel channel, int from, int to) throws IOException {
        block.limit(block.capacity()).position(from).limit(to);
        while (block.hasRemaining()) {
            if (channel.read(block) < 0) {
                throw ModelFailures.corrupt(path, "it ends early");
            }
        }
        block.limit(block.capacity());
    }

    private RowBlock arrays(int rows) {
        int values = rows * layout.width();
        float[][] slots = new float[layout.columnCount() - 2][values];
        return new RowBlock(new long[rows], new float[values], slots, rows);
    }

    private RowBlock copy(BatchView view, RowBlock arrays) {
        int rows = view.rows();
        int values = rows * layout.width();
        ColumnCopy.getLongs(block, view.keyOffset(), arrays.keys(), 0, rows);
        ColumnCopy.getFloats(block, view.valueOffset(), arrays.values(), 0, values);
        for (int i = 0; i < view.slots(); i++) {
            ColumnCopy.getFloats(block, view.slotOffset(i), arrays.slots()[i], 0, values);
        }
        return new RowBlock(arrays.keys(), arrays.values(), arrays.slots(), rows);
    }

    @Override
    public void close() {
        buffer.close();
    }
}
