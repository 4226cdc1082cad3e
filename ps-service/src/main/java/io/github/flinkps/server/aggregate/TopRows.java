package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.common.aggregate.TopK;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The top-k of a partition: a heap whose root is the last of the entries kept. */
final class TopRows implements AggregateFunction.Accumulator {
    private final int most;
    private final int column;
    private final int width;
    private long[] keys;
    private double[] values;
    private int size;

    private TopRows(int k, int column, int width) {
        this.most = k;
        this.column = column;
        this.width = width;
        this.keys = new long[Math.min(k, 64)];
        this.values = new double[keys.length];
    }

    static TopRows begin(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        int width = rows.spec().width();
        return new TopRows(TopK.k(arguments), TopK.column(arguments, width), width);
    }

    @Override
    public void add(long[] blockKeys, float[] blockValues, int count) {
        for (int i = 0; i < count; i++) {
            long key = blockKeys[i];
            double value = blockValues[i * width + column];
            if (size < most) {
                if (size == keys.length) {
                    int grown = (int) Math.min(most, 2L * size);
                    keys = Arrays.copyOf(keys, grown);
                    values = Arrays.copyOf(values, grown);
                }
                set(size, key, value);
                up(size++);
            } else if (TopK.before(key, value, keys[0], values[0])) {
                set(0, key, value);
                down(size);
            }
        }
    }

    @Override
    public PartialAggregate result() {
        int count = size;
        for (int last = count - 1; last > 0; last--) {
            long key = keys[0];
            double value = values[0];
            set(0, keys[last], values[last]);
            set(last, key, value);
            down(last);
        }
        return new PartialAggregate(Arrays.copyOf(keys, count), Arrays.copyOf(values, count));
    }

    private void set(int at, long key, double value) {
        keys[at] = key;
        values[at] = value;
    }

    private boolean after(int a, int b) {
        return TopK.before(keys[b], values[b], keys[a], values[a]);
    }

    private void swap(int a, int b) {
        long key = keys[a];
        double value = values[a];
        set(a, keys[b], values[b]);
        set(b, key, value);
    }

    private void up(int from) {
        for (int at = from; at > 0 && after(at, (at - 1) / 2); at = (at - 1) / 2) {
            swap(at, (at - 1) / 2);
        }
    }

    private void down(int limit) {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= limit) {
                return;
            }
            if (child + 1 < limit && after(child + 1, child)) {
                child++;
            }
            if (!after(child, at)) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }
}
