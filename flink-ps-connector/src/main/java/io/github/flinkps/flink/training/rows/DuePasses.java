package io.github.flinkps.flink.training.rows;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Records for each cached mini-batch the first pass in which it is still to be trained. Those of
 * workers that stood at different passes may differ; one that was cached since the last restore is
 * due in the first pass. Belongs to the task's thread.
 */
final class DuePasses {
    private int[] due = new int[0];
    private int[] rows = new int[0];
    private int restored;

    /** Adds the next of the restored mini-batches, before any other is cached. */
    void add(int pass, int rowCount) {
        if (restored == due.length) {
            int grown = Math.max(16, 2 * restored);
            due = Arrays.copyOf(due, grown);
            rows = Arrays.copyOf(rows, grown);
        }
        due[restored] = pass;
        rows[restored++] = rowCount;
    }

    /** Returns the first pass in which this mini-batch is still to be trained. */
    int of(int number) {
        return number < restored ? due[number] : 0;
    }

    /** Returns those of the mini-batches in this order that train in a pass. */
    int[] dueBy(int epoch, int[] order) {
        return restored == 0
                ? order
                : Arrays.stream(order).filter(number -> of(number) <= epoch).toArray();
    }

    /** Returns the number of rows of mini-batches that are due only in passes after this one. */
    long rowsLater(int epoch) {
        long later = 0;
        for (int i = 0; i < restored; i++) {
            later += due[i] > epoch ? rows[i] : 0;
        }
        return later;
    }

    /** Returns whether any of so many mini-batches is to be trained in a pass. */
    boolean anyBy(int epoch, int size) {
        return size > restored || IntStream.range(0, restored).anyMatch(i -> due[i] <= epoch);
    }
}
