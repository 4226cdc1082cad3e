package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.store.DensePartition;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.stream.LongStream;

/** The rows of this owner's partitions within a range of keys of a dense table. */
final class RangeRows extends RowSet {
    private final int[] firstRows;

    private RangeRows(OwnerTable table, int[] partitions, int[] starts, int[] firstRows) {
        super(table, partitions, starts);
        this.firstRows = firstRows;
    }

    /**
     * Splits a range by partitions.
     *
     * @throws PsException KEY_OUT_OF_RANGE if it leaves the table, TOO_LARGE if it holds more rows
     *     than an int counts
     */
    static RangeRows of(OwnerTable table, long fromKey, long toKey) {
        TableSpec spec = table.spec();
        if (spec.isSparse() || fromKey < 0 || toKey < fromKey || toKey > spec.size()) {
            throw new PsException(
                    ErrorCode.KEY_OUT_OF_RANGE,
                    "no range "
                            + fromKey
                            + " to "
                            + toKey
                            + " in table '"
                            + spec.name()
                            + "' of size "
                            + (spec.isSparse() ? "sparse" : spec.size()));
        }
        long perPartition = spec.rowsPerPartition();
        int first = table.ownedBefore((int) (fromKey / perPartition));
        int end = table.ownedBefore((int) ((toKey - 1) / perPartition) + 1);
        int slices = toKey == fromKey ? 0 : end - first;
        int[] partitions = Arrays.copyOfRange(table.owned(), first, first + slices);
        int[] starts = new int[slices + 1];
        int[] firstRows = new int[slices];
        long count = 0;
        for (int slice = 0; slice < slices; slice++) {
            int partition = partitions[slice];
            long base = spec.firstKey(partition);
            long from = Math.max(fromKey, base);
            firstRows[slice] = (int) (from - base);
            count += Math.min(toKey, spec.firstKey(partition + 1)) - from;
            if (count > Integer.MAX_VALUE) {
                throw new PsException(
                        ErrorCode.TOO_LARGE, "a range of " + count + " rows in one request");
            }
            starts[slice + 1] = (int) count;
        }
        return new RangeRows(table, partitions, starts, firstRows);
    }

    @Override
    void prepare(boolean create, long clock) {
        // Dense rows are there from the start.
    }

    @Override
    void gather(int slice, Partition partition, FloatBuffer out) {
        int from = firstRows[slice];
        ((DensePartition) partition).readRange(from, from + rows(slice), out);
    }

    @Override
    void apply(int slice, Partition partition, FloatBuffer gradients, StepContext step) {
        int from = firstRows[slice];
        ((DensePartition) partition).applyRange(from, from + rows(slice), gradients, step);
    }

    @Override
    void apply(int slice, Partition partition, float[] gradients, StepContext step) {
        int from = firstRows[slice];
        ((DensePartition) partition).applyRange(from, from + rows(slice), gradients, 0, step);
    }

    @Override
    int row(int slice, int i) {
        return firstRows[slice] + i;
    }

    @Override
    long[] hashes(int slice) {
        long first = table().spec().firstKey(partitions[slice]) + firstRows[slice];
        return LongStream.range(first, first + rows(slice)).toArray();
    }

    @Override
    boolean sameRows(int slice, RowSet other, int otherSlice) {
        return other instanceof RangeRows range
                && range.firstRows[otherSlice] == firstRows[slice]
                && range.rows(otherSlice) == rows(slice);
    }
}
