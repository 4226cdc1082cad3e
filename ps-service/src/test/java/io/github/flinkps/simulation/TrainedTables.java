package io.github.flinkps.simulation;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/**
 * The tables that the rows of a simulated job train, and what each row pushes to them. Together
 * they use what a table can keep: slots, a step that counts on from an earlier model, a schedule,
 * last steps of rows that are regularised later, values of rows not trained yet, means over
 * weights. A row touches few of their partitions. What it pushes is a function of the row alone.
 */
final class TrainedTables {
    /** Keys of sparse tables are below this. */
    static final int KEYS = 24;

    /** Steps that the rows of {@link #ADAM} took in an earlier model, from which it begins. */
    static final long STEPS_BEFORE = 11;

    static final TableSpec ADAM =
            TableSpec.dense(
                            "adam",
                            37,
                            2,
                            UpdateSpec.of("adam")
                                    .with("learning-rate", .1)
                                    .with("warmup-steps", 20)
                                    .with("inverse-sqrt-steps", 3))
                    .withPartitions(5);

    static final TableSpec SPARSE =
            TableSpec.sparse("sparse", 1, UpdateSpec.sgd(.25).with("l1", .001).with("l2", .125))
                    .withInitializer(InitializerSpec.normal(0, 1), 3)
                    .withPartitions(16);

    static final TableSpec DECAYED =
            TableSpec.dense("decayed", 11, 3, UpdateSpec.sgd(.5).with("l2", .0625))
                    .withInitializer(InitializerSpec.constant(.5f), 0)
                    .withPartitions(4);

    static final List<TableSpec> ALL = List.of(ADAM, SPARSE, DECAYED);

    private TrainedTables() {}

    /**
     * Gradients of rows of a table.
     *
     * @param fromKey the first key
     * @param rows keys from there on; 1 for a sparse table
     */
    record Gradients(TableSpec table, long fromKey, int rows, float[] values) {}

    /** Returns how many keys a table has, from 0 on. */
    static int keys(TableSpec table) {
        return table.isSparse() ? KEYS : (int) table.size();
    }

    /** Returns the weight of a row. */
    static double weight(int row) {
        return .5 * (1 + row % 5);
    }

    /** Returns what a row pushes. */
    static List<Gradients> gradients(int row) {
        Random random = new Random(row);
        List<Gradients> all = new ArrayList<>();
        int from = row * 5 % 37;
        all.add(gradients(ADAM, from, Math.min(1 + row % 7, 37 - from), random));
        all.add(gradients(SPARSE, sparseKey(row), 1, random));
        if (row % 2 == 0) {
            all.add(gradients(DECAYED, row % 11, 1, random));
        }
        return all;
    }

    private static Gradients gradients(TableSpec table, long from, int rows, Random random) {
        float[] values = new float[rows * table.width()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (random.nextInt(256) - 128) / 64f;
        }
        return new Gradients(table, from, rows, values);
    }

    /** Returns the key of sparse tables that a row touches. */
    static long sparseKey(int row) {
        return row * 7L % KEYS;
    }

    /**
     * Returns what {@link #ADAM} begins with: the value, then the slots, each {@code width} times.
     */
    static float[] initialPlanes(long key) {
        return new float[] {key / 8f, -key / 16f + 1, key / 32f};
    }

    /** Begins the model with rows and steps of an earlier one. */
    static CompletableFuture<Void> load(ModelSession plain) {
        TableSpec spec = ADAM;
        List<CompletableFuture<?>> loads = new ArrayList<>();
        for (int partition = 0; partition < spec.partitions(); partition++) {
            long[] keys =
                    LongStream.range(spec.firstKey(partition), spec.firstKey(partition + 1))
                            .toArray();
            float[][] planes = new float[3][keys.length * spec.width()];
            for (int i = 0; i < planes[0].length; i++) {
                float[] initial = initialPlanes(keys[i / spec.width()]);
                for (int plane = 0; plane < planes.length; plane++) {
                    planes[plane][i] = initial[plane];
                }
            }
            float[][] slots = {planes[1], planes[2]};
            loads.add(
                    plain.load(
                            spec.name(),
                            new RowChunk(
                                    partition,
                                    keys,
                                    planes[0],
                                    slots,
                                    STEPS_BEFORE,
                                    RowChunk.END)));
        }
        return CompletableFuture.allOf(loads.toArray(new CompletableFuture<?>[0]));
    }
}
