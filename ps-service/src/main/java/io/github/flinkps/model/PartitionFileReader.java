package io.github.flinkps.model;

import io.github.flinkps.codec.BatchFileFormat;
import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.codec.CodecException;
import io.github.flinkps.codec.CodecLimits;
import io.github.flinkps.codec.ColumnCopy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads the file of one partition through one buffer, which {@link #close} releases. Failures are
 * {@link io.github.flinkps.common.PsException}s CORRUPT or IO that name the file.
 */
public final class PartitionFileReader implements Closeable {
    private final StoredFile file;
    private final String path;
    private final ModelStorage storage;
    private final BatchLayout layout;
    private final int startBytes;
    private final CodecLimits limits;
    private final ArrowBuf buffer;
    private final ByteBuffer block;
    private ReadableByteChannel channel;
    private RowBlock arrays;
    private long rows;
    private boolean ended;

    /**
     * @param path of the file in the storage
     */
    public PartitionFileReader(
            BatchLayout layout,
            StoredFile file,
            String path,
            ModelStorage storage,
            BufferAllocator allocator) {
        this.file = file;
        this.path = path;
        this.storage = storage;
        this.layout = layout;
        this.startBytes = BatchFileFormat.start(layout).remaining();
        int size = Math.max(startBytes, BlockFormat.bufferSize(layout));
        this.limits = new CodecLimits(size);
        this.buffer = allocator.buffer(size);
        this.block = buffer.nioBuffer(0, size);
    }

    /** Compares length and checksum with what was written. */
    public void verify() {
        StorageFiles.verify(storage, path, file, block);
    }

    /**
     * Returns the next rows, in arrays that are used again for those after them; null at the end. A
     * file without rows may have been written before the number of slots was known, and is not
     * looked into.
     */
    public RowBlock next() {
        if (ended || file.rows() == 0) {
            return null;
        }
        try {
            if (channel == null) {
                channel = storage.open(path);
                StorageFiles.fill(channel, block, 0, startBytes, path);
                BatchFileFormat.checkStart(layout, block, 0, startBytes);
            }
            int size = nextBatch();
            if (size > 0) {
                BatchView view = layout.read(block, 0, size);
                rows += view.rows();
                return copy(view);
            }
        } catch (NoSuchFileException e) {
            throw StorageFiles.missing(path, e);
        } catch (IOException e) {
            throw ModelFailures.io("read", path, e);
        } catch (CodecException e) {
            throw ModelFailures.corrupt(path, e);
        }
        ended = true;
        if (rows != file.rows()) {
            throw ModelFailures.corrupt(path, "it has " + rows + " rows instead of " + file.rows());
        }
        return null;
    }

    /** Reads the next batch to the start of the buffer: its size, 0 at the end. */
    private int nextBatch() throws IOException {
        int prefix = BatchFileFormat.prefixSize();
        StorageFiles.fill(channel, block, 0, prefix, path);
        int metadata = BatchFileFormat.metadataSize(block, 0, limits);
        if (metadata == 0) {
            return 0;
        }
        StorageFiles.fill(channel, block, prefix, metadata, path);
        int size = BatchFileFormat.batchSize(block, 0, metadata, limits);
        StorageFiles.fill(channel, block, metadata, size, path);
        return size;
    }

    private RowBlock newArrays(int count) {
        int values = count * layout.width();
        float[][] slots = new float[layout.slotCount()][values];
        int[] steps = layout.hasSteps() ? new int[count] : null;
        return new RowBlock(new long[count], new float[values], slots, steps, count);
    }

    private RowBlock copy(BatchView view) {
        int count = view.rows();
        if (arrays == null || arrays.keys().length < count) {
            arrays = newArrays(count);
        }
        int values = count * layout.width();
        ColumnCopy.getLongs(block, view.keyOffset(), arrays.keys(), 0, count);
        ColumnCopy.getFloats(block, view.valueOffset(), arrays.values(), 0, values);
        for (int i = 0; i < view.slots(); i++) {
            ColumnCopy.getFloats(block, view.slotOffset(i), arrays.slots()[i], 0, values);
        }
        if (layout.hasSteps()) {
            ColumnCopy.getInts(block, view.stepOffset(), arrays.steps(), 0, count);
        }
        return new RowBlock(arrays.keys(), arrays.values(), arrays.slots(), arrays.steps(), count);
    }

    @Override
    public void close() {
        buffer.close();
        StorageFiles.closeQuietly(channel);
    }
}
