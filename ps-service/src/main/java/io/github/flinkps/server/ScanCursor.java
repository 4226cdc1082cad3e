package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.store.Partition;

/**
 * The position at which a scan of a partition goes on: a row number, and the generation of the
 * partition in which it is the number of that row. A scan so cannot go on behind a roll-back, which
 * would leave out rows or read them twice.
 */
final class ScanCursor {
    private static final long END = -1;

    private ScanCursor() {}

    /**
     * Returns the row at which a scan goes on; 0 is the cursor of every scan that begins.
     *
     * @throws PsException ROLLED_BACK if rows have other numbers now, INVALID_ARGUMENT
     */
    static int row(long cursor, Partition partition) {
        if (cursor < 0) {
            throw new PsException(ErrorCode.INVALID_ARGUMENT, "cursor " + cursor);
        }
        if (cursor != 0 && cursor != cursor((int) cursor, partition)) {
            throw new PsException(
                    ErrorCode.ROLLED_BACK,
                    "table '"
                            + partition.spec().name()
                            + "' has been rolled back since the scan of its partition "
                            + partition.index()
                            + " began; begin it anew");
        }
        return (int) cursor;
    }

    private static long cursor(int row, Partition partition) {
        return (long) (partition.generation() & Integer.MAX_VALUE) << Integer.SIZE | row;
    }

    /** Returns the cursor behind the rows that were read; negative at the end. */
    static long next(int first, int read, Partition partition) {
        int row = first + read;
        return read > 0 && row < partition.rows() ? cursor(row, partition) : END;
    }
}
