package io.github.flinkps.model;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads a model. Opening it checks the manifest; reading a partition first checks the length and
 * checksum of its file, and only then hands out its rows. What is damaged, missing or of a newer
 * format ends in a {@link PsException} CORRUPT that names the file, a failing storage in one with
 * code IO.
 *
 * <p>One thread at a time. Needs one buffer of a few MiB at most, from a child of the allocator
 * given.
 */
public final class ModelReader implements AutoCloseable {
    private final ModelStorage storage;
    private final String directory;
    private final ModelManifest manifest;
    private final BufferAllocator allocator;
    private boolean closed;

    private ModelReader(
            ModelStorage storage,
            String directory,
            ModelManifest manifest,
            BufferAllocator allocator) {
        this.storage = storage;
        this.directory = directory;
        this.manifest = manifest;
        this.allocator = allocator;
    }

    /**
     * Opens the model in a directory.
     *
     * @param parent of the reader's allocator
     * @throws PsException UNKNOWN_MODEL if there is none, CORRUPT, IO
     */
    public static ModelReader open(ModelStorage storage, String directory, BufferAllocator parent) {
        String path = StorageFiles.withoutEndSlash(directory);
        ModelManifest manifest = readManifest(storage, path);
        return new ModelReader(
                storage,
                path,
                manifest,
                parent.newChildAllocator("model-reader " + path, 0, BlockFormat.BUFFER_BYTES));
    }

    /**
     * Returns the manifest alone, its own checksum checked.
     *
     * @throws PsException as {@link #open}
     */
    public static ModelManifest readManifest(ModelStorage storage, String directory) {
        String path = StorageFiles.withoutEndSlash(directory);
        String file = path + "/" + ModelManifest.FILE;
        try {
            return ManifestJson.read(StorageFiles.readManifest(storage, file));
        } catch (NoSuchFileException e) {
            throw new PsException(
                    ErrorCode.UNKNOWN_MODEL,
                    path + " is not a model: there is no " + ModelManifest.FILE,
                    e);
        } catch (IOException e) {
            throw ModelFailures.io("read", file, e);
        } catch (IllegalArgumentException e) {
            throw ModelFailures.corrupt(file, e);
        }
    }

    public ModelManifest manifest() {
        return manifest;
    }

    /**
     * Hands the rows of a partition to {@code consumer}, in blocks of at most 64 K values (or one
     * row), whose arrays are reused for the next block. None is handed out if the file is damaged.
     *
     * @throws PsException UNKNOWN_TABLE, CORRUPT, IO
     */
    public void read(String table, int partition, Consumer<RowBlock> consumer) {
        try (PartitionFileReader reader = open(table, partition)) {
            for (RowBlock rows = reader.next(); rows != null; rows = reader.next()) {
                consumer.accept(rows);
            }
        }
    }

    /** Returns the rows of a partition, its file checked; the caller's to close. */
    PartitionFileReader open(String table, int partition) {
        ModelTable stored = manifest.table(table);
        ModelFile file = stored.files().get(partition);
        String path = directory + "/" + file.path();
        BatchLayout layout = BatchLayout.rows(stored.spec().width(), stored.slots());
        PartitionFileReader reader =
                new PartitionFileReader(layout, file.stored(), path, storage, allocator);
        try {
            reader.verify();
            return reader;
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** Reads all partitions of a table in order; see {@link #read(String, int, Consumer)}. */
    public void read(String table, Consumer<RowBlock> consumer) {
        for (ModelFile file : manifest.table(table).files()) {
            read(table, file.partition(), consumer);
        }
    }

    /** Checks every file of the model. */
    public void verify() {
        for (ModelTable table : manifest.tables()) {
            read(table.spec().name(), rows -> {});
        }
    }

    /** Releases memory. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            allocator.close();
        }
    }
}
