package io.github.flinkps.model.cut;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.BlockFormat;
import io.github.flinkps.model.ModelFailures;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.PartitionFileWriter;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.StorageFiles;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes what one owner thread of one server adds to a cut. The calls are {@link #begin}, {@link
 * #append} and {@link #finish} per partition, {@link #append(RoundPush)} at any time, {@link
 * #complete}, {@link #close}. Nothing is durable before {@link #complete} returns; closed before,
 * or after a failure, the writer removes the files it wrote.
 *
 * <p>Used by one thread, which it blocks with output. Needs two buffers, of a few MiB at most, from
 * a child of the allocator given.
 */
public final class CutPartWriter implements AutoCloseable {
    private final ModelStorage storage;
    private final String directory;
    private final String roundsPath;
    private final List<TableLayout> tables;
    private final BufferAllocator allocator;
    private final List<String> written = new ArrayList<>();
    private State state = State.OPEN;
    private ArrowBuf buffer;
    private PartitionFileWriter file;
    private RoundFileWriter rounds;
    private TableLayout table;
    private String path;

    private enum State {
        OPEN,
        COMPLETE,
        FAILED,
        CLOSED
    }

    private CutPartWriter(
            ModelStorage storage,
            String directory,
            String writer,
            List<TableLayout> tables,
            BufferAllocator parent) {
        this.storage = storage;
        this.directory = directory;
        this.roundsPath = CutPaths.roundsFile(writer);
        this.tables = List.copyOf(tables);
        this.allocator =
                parent.newChildAllocator(
                        "cut-writer " + writer + " " + directory, 0, 2 * BlockFormat.BUFFER_BYTES);
    }

    /**
     * Begins a part.
     *
     * @param directory of the cut, see {@link CutPaths#directory}; made if it is not there
     * @param writer tells the writers of a cut apart: server and owner, letters, digits, {@code -_}
     * @param tables of the model, in order
     * @param parent of the writer's allocator
     * @throws PsException IO
     */
    public static CutPartWriter open(
            ModelStorage storage,
            String directory,
            String writer,
            List<TableLayout> tables,
            BufferAllocator parent) {
        String path = StorageFiles.withoutEndSlash(directory);
        try {
            storage.makeDirectories(path + "/" + CutPaths.DATA);
        } catch (IOException e) {
            throw ModelFailures.io("write to", path, e);
        }
        return new CutPartWriter(storage, path, writer, tables, parent);
    }

    /**
     * Begins a partition.
     *
     * @param index of the table in the model
     */
    public void begin(int index, int partition) {
        requireOpen();
        if (path != null) {
            throw new IllegalStateException(path + " is not finished");
        }
        if (partition < 0 || partition >= tables.get(index).spec().partitions()) {
            throw new IllegalArgumentException(
                    "no partition " + partition + " in " + tables.get(index).spec().name());
        }
        table = tables.get(index);
        path = PartitionFileWriter.path(CutPaths.DATA, index, table.spec().name(), partition);
    }

    /**
     * Adds rows to the partition begun. Every call ends in a batch of its own: rows are best
     * brought by some 64 K values. The file is made with the first of them.
     *
     * @param steps the step each row is up to date with; null if the table has none
     * @throws PsException IO naming the file, CLOSED after a failure
     */
    public void append(long[] keys, float[] values, float[][] slots, int[] steps, int count) {
        requireOpen();
        if (path == null) {
            throw new IllegalStateException("no partition is begun");
        }
        BatchLayout layout = table.batches();
        RowBlock block = new RowBlock(keys, values, slots, steps, count);
        block.check(layout.width(), layout.slotCount(), layout.hasSteps());
        if (count == 0) {
            return;
        }
        try {
            if (file == null) {
                file = openFile(layout);
                file.start();
            }
            int most = BlockFormat.rowsPerBlock(layout.width());
            for (int from = 0; from < count; from += most) {
                file.write(block, from, Math.min(most, count - from));
            }
        } catch (IOException e) {
            throw failed(path, e);
        } catch (RuntimeException e) {
            abort();
            throw e;
        }
    }

    /**
     * Opens the next file. All files share one buffer, which grows to the size that the widest
     * table needs.
     */
    private PartitionFileWriter openFile(BatchLayout layout) throws IOException {
        int size = BlockFormat.bufferSize(layout);
        if (buffer != null && buffer.capacity() < size) {
            buffer.close();
            buffer = null;
        }
        if (buffer == null) {
            buffer = allocator.buffer(size);
        }
        written.add(path);
        buffer.getReferenceManager().retain();
        return new PartitionFileWriter(layout, storage, directory + "/" + path, buffer);
    }

    /**
     * Ends the partition begun.
     *
     * @return its file; null if no rows were added
     * @throws PsException IO naming the file, CLOSED after a failure
     */
    public StoredFile finish() {
        requireOpen();
        if (path == null) {
            throw new IllegalStateException("no partition is begun");
        }
        StoredFile stored = null;
        try {
            if (file != null) {
                stored = file.finish(path);
                file.close();
                file = null;
            }
            path = null;
            return stored;
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    /**
     * Adds a push of an unfinished round.
     *
     * @throws PsException IO naming the file, CLOSED after a failure
     */
    public void append(RoundPush push) {
        requireOpen();
        try {
            if (rounds == null) {
                written.add(roundsPath);
                rounds = new RoundFileWriter(storage, directory + "/" + roundsPath, allocator);
            }
            rounds.append(push, tables.get(push.table()).spec().width());
        } catch (IOException e) {
            throw failed(roundsPath, e);
        }
    }

    /**
     * Returns when all that was written will survive the machine.
     *
     * @return the files of unfinished rounds, one or none
     * @throws PsException IO, CLOSED after a failure
     */
    public List<StoredFile> complete() {
        requireOpen();
        if (path != null) {
            throw new IllegalStateException(path + " is not finished");
        }
        try {
            List<StoredFile> stored = List.of();
            if (rounds != null) {
                stored = List.of(rounds.finish(roundsPath));
                rounds.close();
                rounds = null;
            }
            storage.syncDirectory(directory + "/" + CutPaths.DATA);
            state = State.COMPLETE;
            return stored;
        } catch (IOException e) {
            throw failed(CutPaths.DATA, e);
        }
    }

    private PsException failed(String name, IOException cause) {
        abort();
        return ModelFailures.io("write", directory + "/" + name, cause);
    }

    private void requireOpen() {
        if (state != State.OPEN) {
            throw new PsException(
                    ErrorCode.CLOSED,
                    "writing a part of " + directory + " is over: it is " + state);
        }
    }

    /** Gives up and removes what was written, unless complete. Idempotent. */
    public void abort() {
        if (state != State.OPEN) {
            return;
        }
        state = State.FAILED;
        StorageFiles.closeQuietly(file);
        StorageFiles.closeQuietly(rounds);
        file = null;
        rounds = null;
        for (String name : written) {
            StorageFiles.deleteQuietly(storage, directory + "/" + name);
        }
    }

    /** Aborts what is not complete and releases memory. Idempotent. */
    @Override
    public void close() {
        abort();
        if (state != State.CLOSED) {
            state = State.CLOSED;
            if (buffer != null) {
                buffer.close();
            }
            allocator.close();
        }
    }
}
