package io.github.flinkps.model.cut;

import io.github.flinkps.codec.ColumnCopy;
import io.github.flinkps.model.ModelFailures;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.NewerFormatException;
import io.github.flinkps.model.StorageFiles;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Reads a file of pushes through one buffer, which {@link #close} releases. */
final class RoundFileReader implements Closeable {
    private final StoredFile file;
    private final String path;
    private final ModelStorage storage;
    private final List<TableLayout> tables;
    private final int workers;
    private final ArrowBuf buffer;
    private final ByteBuffer block;
    private ReadableByteChannel channel;
    private long left;
    private long pushes;
    private boolean ended;

    RoundFileReader(
            StoredFile file,
            String path,
            ModelStorage storage,
            CutManifest manifest,
            BufferAllocator allocator) {
        this.file = file;
        this.path = path;
        this.storage = storage;
        this.tables = manifest.tables().stream().map(CutTable::layout).toList();
        this.workers = manifest.header().workers();
        this.buffer = allocator.buffer(RoundFormat.BUFFER_BYTES);
        this.block = buffer.nioBuffer(0, RoundFormat.BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    void verify() {
        StorageFiles.verify(storage, path, file, block);
    }

    /** Returns the next push, null at the end. */
    RoundPush next() {
        if (ended) {
            return null;
        }
        try {
            if (channel == null) {
                start();
            }
            int size = get(Integer.BYTES).getInt();
            if (size != RoundFormat.END) {
                pushes++;
                return push(size);
            }
        } catch (NoSuchFileException e) {
            throw StorageFiles.missing(path, e);
        } catch (IOException e) {
            throw ModelFailures.io("read", path, e);
        }
        ended = true;
        if (pushes != file.rows() || left != 0) {
            throw ModelFailures.corrupt(
                    path,
                    "it has "
                            + pushes
                            + " pushes instead of "
                            + file.rows()
                            + ", and "
                            + left
                            + " bytes behind them");
        }
        return null;
    }

    private void start() throws IOException {
        left = file.bytes();
        channel = storage.open(path);
        if (get(RoundFormat.START_BYTES).getLong() != RoundFormat.MAGIC) {
            throw ModelFailures.corrupt(path, "it is no file of unfinished rounds");
        }
        int version = block.getInt();
        if (version > RoundFormat.VERSION) {
            throw ModelFailures.corrupt(
                    path, new NewerFormatException(version, RoundFormat.VERSION));
        }
    }

    private RoundPush push(int size) throws IOException {
        get(RoundFormat.PUSH_BYTES);
        int table = block.getInt();
        int partition = block.getInt();
        int worker = block.getInt();
        int rows = block.getInt();
        int width = block.getInt();
        long clock = block.getLong();
        double weight = block.getDouble();
        double workerWeight = block.getDouble();
        boolean known = table >= 0 && table < tables.size() && worker >= 0 && worker < workers;
        if (!known
                || width != tables.get(table).spec().width()
                || partition < 0
                || partition >= tables.get(table).spec().partitions()) {
            throw ModelFailures.corrupt(path, "push " + pushes + " is not one of this model");
        }
        if (rows < 0
                || size != RoundFormat.bytes(rows, width)
                || size - RoundFormat.PUSH_BYTES > left) {
            throw ModelFailures.corrupt(
                    path, "push " + pushes + " of " + rows + " rows has " + size + " bytes");
        }
        long[] keys = new long[rows];
        for (int from = 0; from < rows; ) {
            int count = Math.min(rows - from, block.capacity() / Long.BYTES);
            get(count * Long.BYTES);
            ColumnCopy.getLongs(block, 0, keys, from, count);
            from += count;
        }
        float[] gradients = new float[rows * width];
        for (int from = 0; from < gradients.length; ) {
            int count = Math.min(gradients.length - from, block.capacity() / Float.BYTES);
            get(count * Float.BYTES);
            ColumnCopy.getFloats(block, 0, gradients, from, count);
            from += count;
        }
        return new RoundPush(
                table, partition, clock, worker, weight, workerWeight, keys, gradients);
    }

    /** Returns the next bytes, at the start of the buffer. */
    private ByteBuffer get(int count) throws IOException {
        StorageFiles.fill(channel, block, 0, count, path);
        left -= count;
        return block.position(0);
    }

    @Override
    public void close() {
        buffer.close();
        StorageFiles.closeQuietly(channel);
    }
}
