package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.PlannedBatch;
import java.util.Arrays;
import java.util.List;

/**
 * A mini-batch on its way through the pipeline, with the arrays its rows are pulled into and its
 * gradients gathered in. The arrays stay with the place in the pipeline and serve the mini-batches
 * that pass through it one after the other.
 */
public final class PulledBatch implements Parameters {
    private final List<TableSpec> tables;
    private final int[] widths;
    private final float[][] values;
    private final float[][] gradients;
    private PlannedBatch planned;
    private MiniBatch batch;
    private boolean pulled;

    PulledBatch(List<TableSpec> tables) {
        this.tables = tables;
        this.widths = tables.stream().mapToInt(TableSpec::width).toArray();
        this.values = new float[widths.length][0];
        this.gradients = new float[widths.length][0];
    }

    /** Takes the place for a mini-batch. */
    void assign(PlannedBatch next) {
        planned = next;
        batch = next.batch();
        pulled = false;
        for (int table = 0; table < widths.length; table++) {
            int length = length(table);
            if (values[table].length < length) {
                int grown = grown(length);
                values[table] = new float[grown];
            }
        }
    }

    private static int grown(int length) {
        return (int) Math.min(Integer.MAX_VALUE - 8L, length + (length >> 2));
    }

    /** Adds the pulls of the mini-batch to an operation. */
    void pull(Exchange exchange) {
        for (int table = 0; table < widths.length; table++) {
            if (batch.keys[table] == null) {
                String name = tables.get(table).name();
                long from = batch.rangeFrom[table];
                exchange.pullRange(name, from, batch.rangeTo[table], values[table]);
            } else if (batch.keys[table].size() > 0) {
                exchange.pull(batch.keys[table], values[table]);
            }
        }
    }

    /** Adds the pushes of the mini-batch's gradients to an operation. */
    void push(Exchange exchange) {
        for (int table = 0; table < widths.length; table++) {
            if (batch.keys[table] == null) {
                String name = tables.get(table).name();
                long from = batch.rangeFrom[table];
                long to = batch.rangeTo[table];
                exchange.pushRange(name, from, to, gradients[table], batch.weight);
            } else if (batch.keys[table].size() > 0) {
                exchange.push(batch.keys[table], gradients[table], batch.weight);
            }
        }
    }

    /** Sets the gradients to zero, in the shape of the rows. */
    void clearGradients() {
        for (int table = 0; table < widths.length; table++) {
            int length = length(table);
            if (gradients[table].length < length) {
                gradients[table] = new float[values[table].length];
            } else {
                Arrays.fill(gradients[table], 0, length, 0f);
            }
        }
    }

    public PlannedBatch planned() {
        return planned;
    }

    boolean pulled() {
        return pulled;
    }

    void markPulled() {
        pulled = true;
    }

    /** Returns the number of values of a table that are in use. */
    int length(int table) {
        return Math.multiplyExact(batch.rowsOf(table), widths[table]);
    }

    float[] gradientsOf(int table) {
        return gradients[table];
    }

    @Override
    public int rows(int table) {
        return batch.rowsOf(table);
    }

    @Override
    public float[] values(int table) {
        return values[table];
    }

    @Override
    public int[] positions(int table) {
        return batch.keys[table] == null ? null : batch.keys[table].positions();
    }

    @Override
    public long seed() {
        return batch.seed;
    }

    /** Returns this as {@link Gradients}; {@link #values} belongs to {@link Parameters}. */
    Gradients gradients() {
        return this::gradientsOf;
    }
}
