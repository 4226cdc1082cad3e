package io.github.flinkps.flink.training.rows;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.training.TrainingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.MemorySize;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps mini-batches on the heap as long as a budget lasts, and the others in a {@link SpillFile}.
 * What stays keeps its keys too; what comes back from the file has none yet. The budget counts
 * rows, key lists, objects and the places in the file; when places need more, mini-batches that
 * were kept go to the file after all, the latest first. Beyond the budget there are the block that
 * is being written and the two mini-batches being read.
 *
 * <p>Belongs to the task's thread; a thread of its own reads one mini-batch ahead.
 */
public final class SpillingRowCache implements RowCache {
    private static final Logger LOG = LoggerFactory.getLogger(SpillingRowCache.class);

    /** About the bytes of a mini-batch, its reference and its arrays of ranges and key lists. */
    private static final int OBJECT_BYTES = 160;

    private static final int PLACE_BYTES = Long.BYTES + 2 * Integer.BYTES;
    private static final int FIRST_PLACES = 64;
    private static final long READ_SECONDS = 60;
    private static final int NONE = -1;

    private final long budget;
    private final Path parent;
    private final List<MiniBatch> kept = new ArrayList<>();
    private int size;
    private long keptBytes;

    /** The last one kept: its keys are found after it was added, and not counted yet. */
    private MiniBatch uncounted;

    private SpillFile file;

    /** Places of the mini-batches, by number; of those kept not used. */
    private long[] positions = new long[0];

    private int[] lengths = new int[0];
    private int[] rowCounts = new int[0];
    private boolean flushed;
    private ExecutorService reader;
    private Future<MiniBatch> ahead;
    private int aheadNumber = NONE;

    /**
     * @param budget bytes of heap
     * @param parent where a folder for what does not fit is made when it is needed
     */
    public SpillingRowCache(long budget, Path parent) {
        this.budget = budget;
        this.parent = parent;
    }

    @Override
    public void add(MiniBatch batch) throws TrainingException {
        countKeys();
        int number = size++;
        if (file == null) {
            keptBytes += OBJECT_BYTES + newRowBytes(batch);
            kept.add(batch);
            uncounted = batch;
        } else {
            spill(number, batch);
        }
        while (usedBytes() > budget && !kept.isEmpty()) {
            spillLastKept();
        }
    }

    /** Returns the bytes of the arrays behind a mini-batch; 0 if the one before has the same. */
    @SuppressWarnings("ReferenceEquality")
    private long newRowBytes(MiniBatch batch) {
        RowBatch before = kept.isEmpty() ? null : kept.get(kept.size() - 1).rows;
        return before == batch.rows ? 0 : batch.rows.sizeInBytes();
    }

    private void countKeys() {
        if (uncounted != null) {
            keptBytes += keyBytes(uncounted);
            uncounted = null;
        }
    }

    private static long keyBytes(MiniBatch batch) {
        long bytes = 0;
        if (batch.prepared()) {
            for (KeyList keys : batch.keys) {
                bytes += keys == null ? 0 : keys.sizeInBytes();
            }
        }
        return bytes;
    }

    private void spillLastKept() throws TrainingException {
        int number = kept.size() - 1;
        MiniBatch last = kept.remove(number);
        keptBytes -= OBJECT_BYTES + newRowBytes(last);
        if (last == uncounted) {
            uncounted = null;
        } else {
            keptBytes -= keyBytes(last);
        }
        spill(number, last);
    }

    private void spill(int number, MiniBatch batch) throws TrainingException {
        try {
            if (file == null) {
                file = SpillFile.create(parent);
                LOG.info("Rows beyond {} are kept in {}", new MemorySize(budget), file.folder());
            }
            long position = file.size();
            file.append(batch.rows.slice(batch.from, batch.to));
            place(number, position, Math.toIntExact(file.size() - position), batch.size());
            flushed = false;
        } catch (IOException e) {
            throw cannot("be written to", e);
        }
    }

    private void place(int number, long position, int length, int rows) {
        if (number >= positions.length) {
            int grown = Math.max(FIRST_PLACES, Math.max(number + 1, number + (number >> 2)));
            positions = Arrays.copyOf(positions, grown);
            lengths = Arrays.copyOf(lengths, grown);
            rowCounts = Arrays.copyOf(rowCounts, grown);
        }
        positions[number] = position;
        lengths[number] = length;
        rowCounts[number] = rows;
    }

    private TrainingException cannot(String what, Exception cause) {
        return new TrainingException(
                "rows beyond row-memory ("
                        + new MemorySize(budget)
                        + " a worker) cannot "
                        + what
                        + " "
                        + (file == null ? parent : file.folder())
                        + ", which holds "
                        + (file == null ? 0 : file.size() >> 20)
                        + " MiB of them (it lies in Flink's io.tmp.dirs, or else in"
                        + " java.io.tmpdir)",
                cause);
    }

    @Override
    public int size() {
        return size;
    }

    /** Returns the bytes on the heap that count against the budget. */
    long usedBytes() {
        return keptBytes + (long) PLACE_BYTES * positions.length;
    }

    /** Returns the number of mini-batches on the heap: those below this number. */
    int keptBatches() {
        return kept.size();
    }

    /** Returns the bytes in the file; 0 if there is none. */
    long spilledBytes() {
        return file == null ? 0 : file.size();
    }

    @Override
    public void readAhead(int number) {
        if (number >= kept.size() && aheadNumber == NONE && flushed) {
            ahead = read(number);
            aheadNumber = number;
        }
    }

    @Override
    public MiniBatch get(int number) throws TrainingException {
        if (number < kept.size()) {
            return kept.get(number);
        }
        flush();
        Future<MiniBatch> read = aheadNumber == number ? ahead : read(number);
        if (aheadNumber == number) {
            ahead = null;
            aheadNumber = NONE;
        }
        return await(read);
    }

    private void flush() throws TrainingException {
        try {
            if (!flushed) {
                file.flush();
                flushed = true;
            }
        } catch (IOException e) {
            throw cannot("be written to", e);
        }
    }

    @Override
    public RowSource source(int number) throws TrainingException {
        if (number < kept.size()) {
            return new KeptRows(kept.get(number));
        }
        flush();
        return file.source(positions[number], lengths[number], rowCounts[number]);
    }

    /** Rows on the heap. */
    private record KeptRows(MiniBatch batch) implements RowSource {
        @Override
        public int rows() {
            return batch.size();
        }

        @Override
        public void writeTo(RowRecord record) throws IOException {
            record.hold(batch.rows.slice(batch.from, batch.to));
        }
    }

    private Future<MiniBatch> read(int number) {
        if (reader == null) {
            reader =
                    Executors.newSingleThreadExecutor(
                            work -> {
                                Thread thread = new Thread(work, "flink-ps-read-rows");
                                thread.setDaemon(true);
                                return thread;
                            });
        }
        SpillFile from = file;
        long position = positions[number];
        int length = lengths[number];
        return reader.submit(
                () -> {
                    RowBatch rows = from.read(position, length);
                    return new MiniBatch(rows, 0, rows.rows());
                });
    }

    private MiniBatch await(Future<MiniBatch> read) throws TrainingException {
        try {
            return read.get(READ_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw cannot("be read from", e.getCause() instanceof IOException cause ? cause : e);
        } catch (TimeoutException e) {
            throw cannot("be read within " + READ_SECONDS + " s from", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cannot("be read (interrupted) from", e);
        }
    }

    @Override
    public void close() {
        kept.clear();
        uncounted = null;
        keptBytes = 0;
        size = 0;
        ahead = null;
        aheadNumber = NONE;
        if (reader != null) {
            // interrupts a read, which closes the channel: it will not be needed
            reader.shutdownNow();
            reader = null;
        }
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.warn("Rows are left behind in {}", file.folder(), e);
            }
            file = null;
        }
        positions = new long[0];
        lengths = new int[0];
        rowCounts = new int[0];
    }
}
