package io.github.flinkps.model.cut;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.BlockFormat;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.StorageFiles;
import io.github.flinkps.model.TableLayout;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads a cut with the cuts it adds to. Opening it checks the manifests; the files of a partition
 * are all checked before the first of its rows is handed out. What is damaged, missing or of a
 * newer format ends in a {@link PsException} CORRUPT, a failing storage in one with code IO. Either
 * names the file, the cut, and an earlier cut that can be used instead.
 *
 * <p>One thread; several readers of one {@link CutChain} may work side by side. Needs one buffer of
 * a few MiB at most, from a child of the allocator given.
 */
public final class CutReader implements AutoCloseable {
    private final ModelStorage storage;
    private final CutChain chain;
    private final BufferAllocator allocator;
    private boolean reading;
    private boolean closed;

    /**
     * @param parent of the reader's allocator
     */
    public CutReader(ModelStorage storage, CutChain chain, BufferAllocator parent) {
        this.storage = storage;
        this.chain = chain;
        this.allocator =
                parent.newChildAllocator("cut-reader " + chain.path(), 0, BlockFormat.BUFFER_BYTES);
    }

    /**
     * Opens a cut.
     *
     * @param parent of the reader's allocator
     * @throws PsException CORRUPT, IO
     */
    public static CutReader open(ModelStorage storage, ManifestRef ref, BufferAllocator parent) {
        return new CutReader(storage, CutChain.read(storage, ref), parent);
    }

    public CutManifest manifest() {
        return chain.manifest();
    }

    /** Returns what is known of the training at that time, as {@link CutCatalog#facts}. */
    Map<String, String> facts() {
        return CutProgressFiles.facts(storage, StorageFiles.parent(chain.path()));
    }

    public CutChain chain() {
        return chain;
    }

    /**
     * Returns the rows of a partition, whose files are checked before this returns.
     *
     * @param table its index in the model
     * @throws PsException CORRUPT, IO
     */
    public CutRows rows(int table, int partition) {
        return rows(table, partition, false);
    }

    /**
     * Returns the index of a table in the model.
     *
     * @throws PsException UNKNOWN_TABLE
     */
    public int indexOf(String table) {
        int index = manifest().indexOf(table);
        if (index < 0) {
            throw new PsException(
                    ErrorCode.UNKNOWN_TABLE,
                    manifest().header().id() + " has no table '" + table + "'");
        }
        return index;
    }

    CutRows rows(int table, int partition, boolean newestFirst) {
        if (reading) {
            throw new IllegalStateException("rows of " + chain.path() + " are being read");
        }
        TableLayout layout = manifest().tables().get(table).layout();
        List<CutChain.Link> files = chain.files(table, partition);
        if (newestFirst) {
            Collections.reverse(files);
        }
        CutRows rows =
                new CutRows(storage, layout, files, allocator, this::refuse, () -> reading = false);
        rows.verify();
        reading = true;
        return rows;
    }

    /** Reads all rows of a partition, as {@link #rows} does, and hands them to {@code consumer}. */
    public void read(String table, int partition, Consumer<RowBlock> consumer) {
        try (CutRows rows = rows(indexOf(table), partition)) {
            for (RowBlock block = rows.next(); block != null; block = rows.next()) {
                consumer.accept(block);
            }
        }
    }

    /**
     * Hands the pushes of unfinished rounds to {@code consumer}, those of each writer in the order
     * in which it wrote them. All files are checked before the first push.
     *
     * @throws PsException CORRUPT, IO
     */
    public void readRounds(Consumer<RoundPush> consumer) {
        for (CutChain.Link link : chain.rounds()) {
            try (RoundFileReader reader = open(link)) {
                reader.verify();
            } catch (PsException e) {
                throw refuse(link.cut(), e);
            }
        }
        for (CutChain.Link link : chain.rounds()) {
            try (RoundFileReader reader = open(link)) {
                for (RoundPush push = next(reader, link); push != null; push = next(reader, link)) {
                    consumer.accept(push);
                }
            }
        }
    }

    /**
     * Reads the next push, null at the end; refuses a damaged file. What the consumer throws stays
     * outside, as it is not the file's fault.
     */
    private RoundPush next(RoundFileReader reader, CutChain.Link link) {
        try {
            return reader.next();
        } catch (PsException e) {
            throw refuse(link.cut(), e);
        }
    }

    private RoundFileReader open(CutChain.Link link) {
        return new RoundFileReader(link.stored(), link.path(), storage, manifest(), allocator);
    }

    /** Checks every file of the cut and of those it adds to, to the last row. */
    public void verify() {
        for (CutTable table : manifest().tables()) {
            for (CutPartition partition : table.partitions()) {
                read(table.layout().spec().name(), partition.partition(), rows -> {});
            }
        }
        readRounds(push -> {});
    }

    private PsException refuse(CutId damaged, PsException cause) {
        return CutAlternatives.of(storage, chain.path(), manifest().header().id(), damaged, cause);
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
