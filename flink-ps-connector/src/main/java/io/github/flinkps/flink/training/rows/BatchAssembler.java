package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Cuts incoming rows into mini-batches by count, which may grow. A mini-batch that lies within one
 * incoming batch is a view of it; only one that spans several is copied.
 */
public final class BatchAssembler {
    private final BatchGrowth growth;
    private final boolean span;
    private final ArrayDeque<MiniBatch> filled = new ArrayDeque<>();
    private final RowBatchBuilder open = new RowBatchBuilder();
    private long waitingRows;

    /** The rows of the mini-batches before the one that is filling. */
    private long seen;

    /** The rows that fill it. */
    private int batchRows;

    /**
     * @param span whether a mini-batch may span incoming batches; if not, it keeps its rows' place
     *     in the input and may be smaller
     */
    public BatchAssembler(BatchGrowth growth, boolean span) {
        this.growth = growth;
        this.span = span;
        begin(0);
    }

    /** Goes on after mini-batches of so many rows. */
    void begin(long rows) {
        seen = rows;
        batchRows = growth.rows(rows);
    }

    /** Returns the rows of all mini-batches that were cut off, those of {@link #begin} too. */
    long seen() {
        return seen;
    }

    /** Returns the rows of the first mini-batches. */
    int firstRows() {
        return growth.first();
    }

    private void cut(MiniBatch batch) {
        filled.add(batch);
        begin(seen + batch.size());
    }

    void add(RowBatch rows) {
        int count = rows.rows();
        waitingRows += count;
        int at = 0;
        if (open.rows() > 0) {
            at = Math.min(batchRows - open.rows(), count);
            open.append(rows, 0, at);
            if (open.rows() == batchRows) {
                flush();
            }
        }
        for (int size = batchRows; count - at >= size; size = batchRows) {
            cut(new MiniBatch(rows, at, at + size));
            at += size;
        }
        if (at < count && span) {
            open.append(rows, at, count);
        } else if (at < count) {
            cut(new MiniBatch(rows, at, count));
        }
    }

    /** Returns the mini-batch that is filling; say {@link #appended} after adding to it. */
    RowBatchBuilder open() {
        return open;
    }

    /**
     * Counts rows that were added to {@link #open} from outside, and cuts off full mini-batches.
     */
    void appended(int rows) {
        waitingRows += rows;
        if (open.rows() == batchRows) {
            flush();
        } else if (open.rows() > batchRows) {
            RowBatch all = open.build();
            waitingRows -= all.rows();
            add(all);
        }
    }

    /** Makes a mini-batch of the rows that do not fill one. */
    void flush() {
        if (open.rows() > 0) {
            int rows = open.rows();
            cut(new MiniBatch(open.build(), 0, rows));
        }
    }

    /**
     * Adds the mini-batches not yet polled to a list, in order, then the rows that do not fill one.
     */
    void copyInto(List<RowBatch> rows) {
        for (MiniBatch batch : filled) {
            rows.add(batch.rows.slice(batch.from, batch.to));
        }
        if (open.rows() > 0) {
            RowBatch unfilled = open.build();
            open.append(unfilled, 0, unfilled.rows());
            rows.add(unfilled);
        }
    }

    /** Adds rows that are a mini-batch of their own. */
    void addFilled(RowBatch rows) {
        waitingRows += rows.rows();
        cut(new MiniBatch(rows, 0, rows.rows()));
    }

    /** Returns the next mini-batch, or null. */
    MiniBatch poll() {
        MiniBatch next = filled.poll();
        if (next != null) {
            waitingRows -= next.size();
        }
        return next;
    }

    /** Returns the number of rows of mini-batches not yet polled and of the unfilled one. */
    long waitingRows() {
        return waitingRows;
    }

    /** Returns the number of rows of mini-batches not yet polled. */
    long filledRows() {
        return waitingRows - open.rows();
    }

    /** Returns the number of rows that do not fill a mini-batch yet. */
    int openRows() {
        return open.rows();
    }

    boolean isEmpty() {
        return filled.isEmpty() && open.rows() == 0;
    }
}
