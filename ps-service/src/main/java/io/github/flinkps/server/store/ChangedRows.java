package io.github.flinkps.server.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Records which rows of a partition changed, by cut: the set now growing, and one that each freeze
 * closed, until a cut that holds those rows is complete. An aborted cut forgets nothing.
 */
final class ChangedRows {
    /** The most closed sets that are kept apart; beyond it the oldest are merged. */
    private static final int MAX_SETS = 4;

    private final List<Closed> closed = new ArrayList<>();
    private RowBits current;
    private boolean anyCompleted;
    private long lastCompleted;
    private long closedBytes;

    /** The rows changed before the freeze for a cut and after the one before it. */
    private static final class Closed {
        final long cut;

        /** The rows; null once merged into the set of a later cut. */
        RowBits rows;

        Closed(long cut, RowBits rows) {
            this.cut = cut;
            this.rows = rows;
        }
    }

    ChangedRows(int rows) {
        this.current = new RowBits(rows);
    }

    /** Returns the rows written since the last freeze. */
    RowBits current() {
        return current;
    }

    /** Closes the current set under the number of a cut and begins an empty one. */
    void close(long cut, int rows) {
        long last = closed.isEmpty() ? lastCompleted : closed.get(closed.size() - 1).cut;
        if ((anyCompleted || !closed.isEmpty()) && cut <= last) {
            throw new IllegalArgumentException("cut " + cut + " is frozen after cut " + last);
        }
        closed.add(new Closed(cut, current));
        closedBytes += current.bytes();
        current = new RowBits(rows);
    }

    /** Returns whether a cut of which the rows changed are known was completed. */
    boolean hasBase() {
        return anyCompleted;
    }

    /** Returns the last completed cut, if there is one. */
    long base() {
        return lastCompleted;
    }

    /** Returns the sets closed since the last completed cut. */
    RowBits[] sinceBase() {
        return closed.stream()
                .map(set -> set.rows)
                .filter(rows -> rows != null)
                .toArray(RowBits[]::new);
    }

    /** Forgets the sets that a cut holds. One that no freeze here was for changes nothing. */
    void completed(long cut) {
        int at = closed.size() - 1;
        while (at >= 0 && closed.get(at).cut != cut) {
            at--;
        }
        if (at >= 0) {
            closed.subList(0, at + 1).clear();
            anyCompleted = true;
            lastCompleted = cut;
            countBytes();
        }
    }

    /**
     * Merges the oldest closed sets, to bound the memory when many cuts are given up in a row. Call
     * it while no image is open.
     */
    void merge() {
        int sets = 0;
        for (int i = closed.size() - 1; i >= 0; i--) {
            sets += closed.get(i).rows == null ? 0 : 1;
        }
        Closed older = null;
        for (Closed set : closed) {
            if (set.rows == null) {
                continue;
            }
            if (older != null) {
                set.rows.take(older.rows);
                older.rows = null;
            }
            if (sets <= MAX_SETS) {
                break;
            }
            sets--;
            older = set;
        }
        countBytes();
    }

    private void countBytes() {
        long bytes = 0;
        for (Closed set : closed) {
            bytes += set.rows == null ? 0 : set.rows.bytes();
        }
        closedBytes = bytes;
    }

    /** Returns the memory of all sets in bytes. Other threads may read it. */
    long bytes() {
        return current.bytes() + closedBytes;
    }
}
