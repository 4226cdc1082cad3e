package io.github.flinkps.model.cut;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.PartitionFileReader;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.TableLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The rows of a partition of a cut, a block at a time, in the order in which they apply: a row may
 * come again with later values. All files are checked before the first row. One thread; open one at
 * a time per {@link CutReader}.
 */
public final class CutRows implements AutoCloseable {
    private final ModelStorage storage;
    private final TableLayout layout;
    private final BufferAllocator allocator;
    private final Deque<CutChain.Link> left;
    private final BiFunction<CutId, PsException, PsException> refusal;
    private final Runnable onClose;
    private PartitionFileReader file;
    private CutId cut;
    private boolean closed;

    CutRows(
            ModelStorage storage,
            TableLayout layout,
            List<CutChain.Link> files,
            BufferAllocator allocator,
            BiFunction<CutId, PsException, PsException> refusal,
            Runnable onClose) {
        this.storage = storage;
        this.layout = layout;
        this.allocator = allocator;
        this.left = new ArrayDeque<>(files);
        this.refusal = refusal;
        this.onClose = onClose;
    }

    /** Compares all files with what was written. */
    void verify() {
        for (CutChain.Link link : left) {
            try (PartitionFileReader reader = open(link)) {
                reader.verify();
            } catch (PsException e) {
                throw refusal.apply(link.cut(), e);
            }
        }
    }

    private PartitionFileReader open(CutChain.Link link) {
        return new PartitionFileReader(
                layout.batches(), link.stored(), link.path(), storage, allocator);
    }

    /**
     * Returns the next rows, at most 64 K values (or one row), in arrays that are used again for
     * those after them; null at the end.
     *
     * @throws PsException CORRUPT or IO, naming the file, the cut, and an earlier cut that can be
     *     used instead
     */
    public RowBlock next() {
        while (file != null || !left.isEmpty()) {
            if (file == null) {
                cut = left.peek().cut();
                file = open(left.remove());
            }
            try {
                RowBlock rows = file.next();
                if (rows != null) {
                    return rows;
                }
            } catch (PsException e) {
                throw refusal.apply(cut, e);
            }
            closeFile();
        }
        return null;
    }

    /** Returns the number of files that have not been begun. */
    int filesLeft() {
        return left.size();
    }

    private void closeFile() {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    /** Releases memory. Idempotent. */
    @Override
    public void close() {
        closeFile();
        if (!closed) {
            closed = true;
            left.clear();
            onClose.run();
        }
    }
}
