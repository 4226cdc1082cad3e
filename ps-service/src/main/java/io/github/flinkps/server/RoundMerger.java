package io.github.flinkps.server;

import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Sums the pushes of a round per row, in the order of workers, and applies the sum as one step. Its
 * scratch memory is shared by the partitions of an owner thread, to which it is confined.
 */
final class RoundMerger {
    private static final int GOLDEN = 0x9E3779B9;

    private int[] slots = new int[64];
    private int[] rows = new int[32];
    private float[] sums = new float[64];
    private float[] incoming = new float[64];
    private int mask;
    private int count;

    /**
     * Applies a round.
     *
     * @param byWorker the pushes of each worker, in order; null for a worker without
     * @param weights of the workers' mini-batches, also of those without a push here; 0 where that
     *     is not known, and the pushes' own weights count
     * @param number of the step
     */
    void apply(
            Partition partition,
            Contribution[][] byWorker,
            double[] weights,
            StepContext step,
            long number) {
        Contribution only = null;
        boolean same = true;
        int pushes = 0;
        int mostRows = 0;
        double weight = 0;
        for (int worker = 0; worker < byWorker.length; worker++) {
            Contribution[] contributions = byWorker[worker];
            weight += weights[worker];
            for (int i = 0; contributions != null && i < contributions.length; i++) {
                Contribution push = contributions[i];
                weight += weights[worker] > 0 ? 0 : push.weight();
                mostRows += push.rows().rows(push.slice());
                same &=
                        only == null
                                || only.rows().sameRows(only.slice(), push.rows(), push.slice());
                only = only == null ? push : only;
                pushes++;
            }
        }
        if (pushes == 0) {
            return;
        }
        step.set(weight, number);
        if (pushes == 1) {
            only.rows().apply(only.slice(), partition, only.values(), step);
        } else if (same) {
            sumSame(byWorker, mostRows / pushes * partition.spec().width());
            only.rows().apply(only.slice(), partition, sums, step);
        } else {
            sumByRow(byWorker, mostRows, partition.spec().width());
            partition.apply(rows, 0, count, sums, 0, step);
        }
    }

    private void sumSame(Contribution[][] byWorker, int values) {
        reserve(0, values, values);
        boolean first = true;
        for (Contribution[] contributions : byWorker) {
            for (int i = 0; contributions != null && i < contributions.length; i++) {
                contributions[i].values().get(0, first ? sums : incoming, 0, values);
                if (!first) {
                    add(sums, 0, incoming, 0, values);
                }
                first = false;
            }
        }
    }

    private void sumByRow(Contribution[][] byWorker, int mostRows, int width) {
        int values = Math.multiplyExact(mostRows, width);
        reserve(mostRows, values, values);
        Arrays.fill(slots, 0, mask + 1, 0);
        count = 0;
        for (Contribution[] contributions : byWorker) {
            for (int i = 0; contributions != null && i < contributions.length; i++) {
                add(contributions[i], width);
            }
        }
    }

    private void add(Contribution push, int width) {
        int pushed = push.rows().rows(push.slice());
        FloatBuffer values = push.values();
        values.get(0, incoming, 0, pushed * width);
        for (int i = 0; i < pushed; i++) {
            int row = push.rows().row(push.slice(), i);
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
