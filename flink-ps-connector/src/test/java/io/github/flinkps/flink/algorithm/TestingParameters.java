package io.github.flinkps.flink.algorithm;

import io.github.flinkps.flink.data.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A worker without servers: collects keys, makes them unique in some order and holds their
 * parameters.
 */
final class TestingParameters implements KeyCollector, Parameters {
    private final List<Map<Long, Integer>> unique = new ArrayList<>();
    private final List<List<Integer>> positions = new ArrayList<>();
    private final boolean[] ranged;
    private final int[][] arrays;
    private final long seed;
    private final float[][] values;
    private final float[][] gradients;

    TestingParameters(TrainingModel model, RowBatch rows, int from, int to) {
        this(model, rows, from, to, 7);
    }

    TestingParameters(TrainingModel model, RowBatch rows, int from, int to, long seed) {
        this.seed = seed;
        int tables = model.tables().size();
        arrays = new int[tables][];
        for (int i = 0; i < tables; i++) {
            unique.add(new HashMap<>());
            positions.add(new ArrayList<>());
        }
        ranged = new boolean[tables];
        model.touch(rows, from, to, this);
        values = new float[tables][];
        gradients = new float[tables][];
        for (int i = 0; i < tables; i++) {
            values[i] = new float[unique.get(i).size() * model.tables().get(i).width()];
            gradients[i] = new float[values[i].length];
        }
    }

    Map<Long, Integer> rowsOf(int table) {
        return unique.get(table);
    }

    Gradients zeroedGradients() {
        for (float[] gradient : gradients) {
            Arrays.fill(gradient, 0);
        }
        return table -> gradients[table];
    }

    @Override
    public void add(int table, long[] keys, int from, int to) {
        for (int i = from; i < to; i++) {
            add(table, keys[i]);
        }
    }

    @Override
    public void add(int table, long key) {
        Map<Long, Integer> rows = unique.get(table);
        rows.putIfAbsent(key, rows.size());
        positions.get(table).add(rows.get(key));
    }

    @Override
    public void range(int table, long fromKey, long toKey) {
        if (!unique.get(table).isEmpty()) {
            throw new AssertionError("table " + table + " is touched twice");
        }
        ranged[table] = true;
        for (long key = fromKey; key < toKey; key++) {
            unique.get(table).put(key, (int) (key - fromKey));
        }
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public int rows(int table) {
        return unique.get(table).size();
    }

    @Override
    public float[] values(int table) {
        return values[table];
    }

    @Override
    public int[] positions(int table) {
        if (!ranged[table] && arrays[table] == null) {
            arrays[table] = positions.get(table).stream().mapToInt(Integer::intValue).toArray();
        }
        return arrays[table];
    }
}
