package io.github.flinkps.model;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes a model into a directory, so that there is the whole of it or nothing: {@link #begin},
 * {@link #writePartition} once for every partition of every table, {@link #commit}, {@link #close}.
 *
 * <p>Files are written and synced in a hidden directory beside the target, the manifest last. A new
 * model is then renamed into its place. To replace a model, its new files are moved into its
 * directory, under a name of their own, and then the manifest over the old one. So a reader that
 * opens the model finds the old or the new. A reader that has the old one open while its files are
 * removed gets an error. What fails, and {@link #close} without {@link #commit}, removes the hidden
 * directory. A killed process leaves it, and no model. In a storage that does not rename, files are
 * written in the target, under a name of their own, and the manifest is what makes them a model.
 *
 * <p>One thread at a time, but for {@link #abort}. Needs one buffer of a few MiB at most, from a
 * child of the allocator given.
 */
public final class ModelWriter implements AutoCloseable {
    private static final String DATA_PREFIX = "data-";
    private static final int UNKNOWN_SLOTS = -1;

    private final ModelStorage storage;
    private final String directory;
    private final boolean inPlace;
    private final String temporary;
    private final String data;
    private final ModelHeader header;
    private final BufferAllocator allocator;
    private final List<ModelFile[]> files = new ArrayList<>();
    private final int[] slots;
    private final Object lock = new Object();
    private State state = State.OPEN;
    private boolean closed;

    private enum State {
        OPEN,
        COMMITTED,
        ABORTED
    }

    private ModelWriter(
            ModelStorage storage, String directory, ModelHeader header, BufferAllocator parent) {
        String id = UUID.randomUUID().toString().substring(0, 8);
        this.storage = storage;
        this.directory = directory;
        this.header = header;
        this.inPlace = !storage.renames(directory);
        int name = directory.lastIndexOf('/') + 1;
        String hidden =
                directory.substring(0, name) + "." + directory.substring(name) + ".tmp-" + id;
        this.temporary = inPlace ? directory : hidden;
        this.data = DATA_PREFIX + id;
        this.slots = new int[header.tables().size()];
        for (int i = 0; i < slots.length; i++) {
            files.add(new ModelFile[header.tables().get(i).partitions()]);
            slots[i] = header.slots() ? UNKNOWN_SLOTS : 0;
        }
        this.allocator =
                parent.newChildAllocator("model-writer " + directory, 0, BlockFormat.BUFFER_BYTES);
    }

    /**
     * Begins a model.
     *
     * @param directory its path in the storage: absent, empty, or a model to be replaced
     * @param parent of the writer's allocator
     * @throws PsException INVALID_ARGUMENT if something else is there, IO if it cannot be written
     *     to
     */
    public static ModelWriter begin(
            ModelStorage storage, String directory, ModelHeader header, BufferAllocator parent) {
        String path = StorageFiles.withoutEndSlash(directory);
        try {
            if (storage.exists(path)) {
                List<String> present = storage.list(path);
                // Written in place, a model that nobody has finished has no manifest.
                boolean ours =
                        present.contains(ModelManifest.FILE)
                                || !storage.renames(path)
                                        && present.stream()
                                                .allMatch(name -> name.startsWith(DATA_PREFIX));
                if (!present.isEmpty() && !ours) {
                    throw new PsException(
                            ErrorCode.INVALID_ARGUMENT,
                            path + " is there and is not a model: choose another directory");
                }
                storage.makeDirectories(path);
            }
            ModelWriter writer = new ModelWriter(storage, path, header, parent);
            try {
                storage.makeDirectories(writer.temporary + "/" + writer.data);
            } catch (IOException | RuntimeException e) {
                writer.close();
                throw e;
            }
            return writer;
        } catch (IOException e) {
            throw ModelFailures.io("write to", path, e);
        }
    }

    /**
     * Writes the rows of a partition, none being fine. Blocks may have any size, and their arrays
     * may be reused once the iterator is asked for the next one. After a failure, also one of the
     * iterator, the model is aborted.
     *
     * @param steps of the optimizer counted at the partition, asked for after the last block
     * @throws PsException UNKNOWN_TABLE, IO naming the file, CLOSED if aborted meanwhile
     */
    public void writePartition(
            String table, int partition, Iterator<RowBlock> blocks, Supplier<StepCounts> steps) {
        int index = indexOf(table);
        if (files.get(index)[partition] != null) {
            throw new IllegalStateException(
                    "partition " + partition + " of '" + table + "' is written already");
        }
        String path = PartitionFileWriter.path(data, index, table, partition);
        boolean done = false;
        try {
            files.get(index)[partition] = write(index, partition, path, blocks, steps);
            done = true;
        } catch (IOException e) {
            throw ModelFailures.io("write", temporary + "/" + path, e);
        } finally {
            if (!done) {
                abort();
            }
        }
    }

    /** Writes a partition that has counted no steps. */
    public void writePartition(String table, int partition, Iterator<RowBlock> blocks) {
        writePartition(table, partition, blocks, () -> StepCounts.ofRounds(0));
    }

    private int indexOf(String table) {
        for (int i = 0; i < slots.length; i++) {
            if (header.tables().get(i).name().equals(table)) {
                return i;
            }
        }
        throw new PsException(
                ErrorCode.UNKNOWN_TABLE,
                "model '" + header.model() + "' has no table '" + table + "'");
    }

    private ModelFile write(
            int index,
            int partition,
            String path,
            Iterator<RowBlock> blocks,
            Supplier<StepCounts> steps)
            throws IOException {
        int width = header.tables().get(index).width();
        RowBlock first = nextWithRows(blocks);
        if (slots[index] == UNKNOWN_SLOTS && first != null) {
            slots[index] = first.slots().length;
        }
        BatchLayout layout = BatchLayout.rows(width, Math.max(0, slots[index]));
        try (PartitionFileWriter file = open(layout, path)) {
            for (RowBlock block = first; block != null; block = nextWithRows(blocks)) {
                int expected = header.slots() ? layout.slotCount() : block.slots().length;
                block.check(width, expected, false);
                int most = BlockFormat.rowsPerBlock(width);
                for (int from = 0; from < block.rows(); from += most) {
                    synchronized (lock) {
                        requireOpen();
                        file.write(block, from, Math.min(most, block.rows() - from));
                    }
                }
            }
            synchronized (lock) {
                requireOpen();
                return ModelFile.of(file.finish(path), partition, steps.get());
            }
        }
    }

    private PartitionFileWriter open(BatchLayout layout, String path) throws IOException {
        synchronized (lock) {
            requireOpen();
            PartitionFileWriter file =
                    new PartitionFileWriter(layout, storage, temporary + "/" + path, allocator);
            try {
                file.start();
                return file;
            } catch (IOException | RuntimeException e) {
                file.close();
                throw e;
            }
        }
    }

    private static RowBlock nextWithRows(Iterator<RowBlock> blocks) {
        while (blocks.hasNext()) {
            RowBlock block = blocks.next();
            if (block.rows() > 0) {
                return block;
            }
        }
        return null;
    }

    private void requireOpen() {
        if (state != State.OPEN) {
            throw new PsException(
                    ErrorCode.CLOSED, "writing model " + directory + " has been given up");
        }
    }

    /**
     * Puts the model in its place. On failure the model that was there before is still there.
     *
     * @param facts about the training, by name
     * @return what the manifest says
     * @throws PsException IO; CLOSED if aborted
     */
    public ModelManifest commit(Map<String, String> facts) {
        synchronized (lock) {
            requireOpen();
            ModelManifest manifest = new ModelManifest(header, tables(), facts);
            try {
                if (inPlace) {
                    commitInPlace(manifest);
                } else {
                    List<String> before = storage.list(directory);
                    writeManifest(ManifestJson.write(manifest));
                    publish();
                    state = State.COMMITTED;
                    removeBefore(before);
                }
            } catch (IOException e) {
                throw ModelFailures.io("write", directory, e);
            } finally {
                abort();
            }
            return manifest;
        }
    }

    private List<ModelTable> tables() {
        List<ModelTable> tables = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            TableSpec spec = header.tables().get(i);
            for (int p = 0; p < spec.partitions(); p++) {
                if (files.get(i)[p] == null) {
                    throw new IllegalStateException(
                            "partition " + p + " of '" + spec.name() + "' is not written");
                }
            }
            tables.add(new ModelTable(spec, Math.max(0, slots[i]), List.of(files.get(i))));
        }
        return tables;
    }

    /**
     * Writes the manifest over the one that is there. Removes the files of that one only: others
     * may be of a model that is being written too.
     */
    private void commitInPlace(ModelManifest manifest) throws IOException {
        byte[] json = ManifestJson.write(manifest);
        byte[] before = readManifest();
        try {
            writeManifest(json);
        } catch (IOException | RuntimeException e) {
            byte[] there = readManifest();
            if (!Arrays.equals(there, json)) { // else it was stored all the same
                if (there != null && !isWhole(there)) {
                    restoreManifest(before, e);
                }
                throw e;
            }
        }
        state = State.COMMITTED;
        if (!storage.list(directory).contains(data)) {
            IOException removed =
                    new IOException("another process has removed the files of the model");
            if (Arrays.equals(readManifest(), json)) {
                restoreManifest(null, removed); // which would name what is not there
            }
            throw removed;
        }
        if (before != null) {
            removeBefore(List.copyOf(dataOf(before)));
        }
    }

    /** Returns the manifest that is there, or null. */
    private byte[] readManifest() throws IOException {
        try (ReadableByteChannel file = storage.open(directory + "/" + ModelManifest.FILE)) {
            return Channels.newInputStream(file).readAllBytes();
        } catch (NoSuchFileException absent) {
            return null;
        }
    }

    /** Puts back what a failed attempt may have cut short. */
    private void restoreManifest(byte[] before, Exception failure) {
        try {
            if (before == null) {
                storage.delete(directory + "/" + ModelManifest.FILE);
            } else {
                writeManifest(before);
            }
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static boolean isWhole(byte[] manifest) {
        try {
            return ManifestJson.read(manifest) != null;
        } catch (IllegalArgumentException damaged) {
            return false;
        }
    }

    /** Returns the folders of a manifest's files; none if it cannot be read. */
    private static Set<String> dataOf(byte[] manifest) {
        Set<String> folders = new TreeSet<>();
        if (isWhole(manifest)) {
            for (ModelTable table : ManifestJson.read(manifest).tables()) {
                table.files().forEach(file -> folders.add(file.path().split("/", 2)[0]));
            }
        }
        return folders;
    }

    private void writeManifest(byte[] manifest) throws IOException {
        storage.syncDirectory(temporary + "/" + data);
        try (ModelStorage.Output output = storage.create(temporary + "/" + ModelManifest.FILE)) {
            output.write(ByteBuffer.wrap(manifest));
            output.sync();
        }
        storage.syncDirectory(temporary);
    }

    private void publish() throws IOException {
        if (!storage.exists(directory)) {
            storage.rename(temporary, directory);
            storage.syncDirectory(StorageFiles.parent(directory));
            return;
        }
        String moved = directory + "/" + data;
        storage.rename(temporary + "/" + data, moved);
        try {
            storage.syncDirectory(directory);
            storage.rename(
                    temporary + "/" + ModelManifest.FILE, directory + "/" + ModelManifest.FILE);
        } catch (IOException | RuntimeException e) {
            StorageFiles.deleteQuietly(storage, moved);
            throw e;
        }
        storage.syncDirectory(directory);
    }

    /** Removes the files of the model that was there. */
    private void removeBefore(List<String> before) {
        for (String name : before) {
            if (name.startsWith(DATA_PREFIX) && !name.equals(data)) {
                StorageFiles.deleteQuietly(storage, directory + "/" + name);
            }
        }
    }

    /**
     * Gives up and removes what was written, unless committed. Idempotent; any thread, such as one
     * that handles ctrl-C.
     */
    public void abort() {
        synchronized (lock) {
            if (state == State.OPEN) {
                state = State.ABORTED;
            }
            if (!inPlace) {
                StorageFiles.deleteQuietly(storage, temporary);
            } else if (state == State.ABORTED) {
                StorageFiles.deleteQuietly(storage, directory + "/" + data);
            }
        }
    }

    /** Aborts what is not committed and releases memory. Idempotent. */
    @Override
    public void close() {
        abort();
        if (!closed) {
            closed = true;
            allocator.close();
        }
    }
}
