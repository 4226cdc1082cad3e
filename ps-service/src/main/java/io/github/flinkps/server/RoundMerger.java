package io.github.flinkps.server;

import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.util.Arrays;

/**
 * Sums the pushes of a round per row, in the order of workers, and applies the sum as one step. Its
 * scratch memory is shared by the partitions of an owner thread, to which it is confined.
 */
final class RoundMerger implements PartitionRound.Visitor {
    private static final int GOLDEN = 0x9E3779B9;

    private int[] slots = new int[64];
    private int[] rows = new int[32];
    private float[] sums = new float[64];
    private float[] incoming = new float[64];
    private int mask;
    private int count;

    /** The pushes of the round, in the order of workers. */
    private Push[] pushes = new Push[16];

    private int[] slices = new int[16];
    private int pushCount;

    /**
     * Applies a round.
     *
     * @param weights of the mini-batches of the round
     * @param step that the round is, whose weight is set here
     */
    void apply(Partition partition, PartitionRound round, RoundWeights weights, StepContext step) {
        try {
            round.each(this);
            if (pushCount > 0) {
                step.set(weights.sum(round), step.step(), step.round());
                apply(partition, step);
            }
        } finally {
            Arrays.fill(pushes, 0, pushCount, null);
            pushCount = 0;
        }
    }

    @Override
    public void visit(int worker, Push push, int slice) {
        if (pushCount == pushes.length) {
            pushes = Arrays.copyOf(pushes, 2 * pushCount);
            slices = Arrays.copyOf(slices, 2 * pushCount);
        }
        pushes[pushCount] = push;
        slices[pushCount++] = slice;
    }

    private void apply(Partition partition, StepContext step) {
        Push only = pushes[0];
        int slice = slices[0];
        boolean same = true;
        int mostRows = 0;
        for (int i = 0; i < pushCount; i++) {
            same &= only.rows().sameRows(slice, pushes[i].rows(), slices[i]);
            mostRows += pushes[i].rows().rows(slices[i]);
        }
        if (pushCount == 1) {
            only.rows().apply(slice, partition, only.gradients().position(only.from(slice)), step);
        } else if (same) {
            sumSame(only.floats(slice));
            only.rows().apply(slice, partition, sums, step);
        } else {
            sumByRow(mostRows, partition.spec().width());
            partition.apply(rows, 0, count, sums, 0, step);
        }
    }

    private void sumSame(int values) {
        reserve(0, values, values);
        pushes[0].copy(slices[0], sums);
        for (int i = 1; i < pushCount; i++) {
            pushes[i].copy(slices[i], incoming);
            add(sums, 0, incoming, 0, values);
        }
    }

    private void sumByRow(int mostRows, int width) {
        int values = Math.multiplyExact(mostRows, width);
        reserve(mostRows, values, values);
        Arrays.fill(slots, 0, mask + 1, 0);
        count = 0;
        for (int i = 0; i < pushCount; i++) {
            add(pushes[i], slices[i], width);
        }
    }

    private void add(Push push, int slice, int width) {
        int pushed = push.rows().rows(slice);
        push.copy(slice, incoming);
        for (int i = 0; i < pushed; i++) {
            int row = push.rows().row(slice, i);
            int slot = (row * GOLDEN) >>> Integer.numberOfLeadingZeros(mask);
            while (slots[slot] != 0 && rows[slots[slot] - 1] != row) {
                slot = (slot + 1) & mask;
            }
            if (slots[slot] == 0) {
                rows[count++] = row;
                slots[slot] = count;
                System.arraycopy(incoming, i * width, sums, (count - 1) * width, width);
            } else {
                add(sums, (slots[slot] - 1) * width, incoming, i * width, width);
            }
        }
    }

    private static void add(float[] sums, int at, float[] values, int from, int length) {
        for (int i = 0; i < length; i++) {
            sums[at + i] += values[from + i];
        }
    }

    private static int grown(int wanted) {
        return (int) Math.min(Integer.MAX_VALUE - 8L, wanted + (wanted >> 1) * 1L);
    }

    private void reserve(int newRows, int newSums, int newIncoming) {
        if (rows.length < newRows) {
            rows = new int[newRows + newRows / 2];
        }
        int wanted = Math.max(64, Integer.highestOneBit(Math.max(1, newRows)) * 4);
        mask = wanted - 1;
        if (slots.length < wanted) {
            slots = new int[wanted];
        }
        if (sums.length < newSums) {
            sums = new float[grown(newSums)];
        }
        if (incoming.length < newIncoming) {
            incoming = new float[grown(newIncoming)];
        }
    }
}
