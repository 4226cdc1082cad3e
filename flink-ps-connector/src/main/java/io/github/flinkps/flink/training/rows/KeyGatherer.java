package io.github.flinkps.flink.training.rows;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.TrainingModel;
import java.util.Arrays;
import java.util.List;

/** Finds the keys of mini-batches; one buffer per table, used again for each. */
public final class KeyGatherer implements KeyCollector {
    private static final int FIRST_SIZE = 1024;

    private final TrainingModel model;
    private final List<TableSpec> tables;
    private final ModelSession session;
    private final long[][] buffers;
    private final int[] sizes;
    private long[] rangeFrom;
    private long[] rangeTo;
    private long seed;

    public KeyGatherer(TrainingModel model, List<TableSpec> tables, ModelSession session) {
        this.model = model;
        this.tables = tables;
        this.session = session;
        this.buffers = new long[tables.size()][FIRST_SIZE];
        this.sizes = new int[tables.size()];
    }

    /**
     * Prepares a mini-batch, once.
     *
     * @param batchSeed what the model may draw by
     */
    public void prepare(MiniBatch batch, long batchSeed) {
        if (batch.prepared()) {
            return;
        }
        seed = batchSeed;
        int count = tables.size();
        Arrays.fill(sizes, 0);
        rangeFrom = new long[count];
        rangeTo = new long[count];
        model.touch(batch.rows, batch.from, batch.to, this);
        KeyList[] keys = new KeyList[count];
        for (int table = 0; table < count; table++) {
            boolean range = rangeFrom[table] < rangeTo[table];
            if (range && sizes[table] > 0) {
                throw new IllegalStateException(
                        "model '"
                                + model.name()
                                + "' touches table '"
                                + tables.get(table).name()
                                + "' both by keys and by a range");
            }
            if (!range) {
                keys[table] =
                        session.keys(tables.get(table).name(), buffers[table], 0, sizes[table]);
            }
        }
        batch.rangeFrom = rangeFrom;
        batch.rangeTo = rangeTo;
        batch.keys = keys;
        batch.seed = batchSeed;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public void add(int table, long[] keys, int from, int to) {
        int size = sizes[table];
        int more = to - from;
        reserve(table, size + more);
        System.arraycopy(keys, from, buffers[table], size, more);
        sizes[table] = size + more;
    }

    @Override
    public void add(int table, long key) {
        int size = sizes[table];
        reserve(table, size + 1);
        buffers[table][size] = key;
        sizes[table] = size + 1;
    }

    private void reserve(int table, int size) {
        if (size > buffers[table].length) {
            buffers[table] =
                    Arrays.copyOf(buffers[table], Math.max(size, 2 * buffers[table].length));
        }
    }

    @Override
    public void range(int table, long fromKey, long toKey) {
        if (rangeFrom[table] < rangeTo[table]) {
            throw new IllegalStateException(
                    "model '"
                            + model.name()
                            + "' touches two ranges of table '"
                            + tables.get(table).name()
                            + "'");
        }
        if (fromKey < 0 || fromKey > toKey || toKey > tables.get(table).size()) {
            throw new IllegalArgumentException(
                    "range "
                            + fromKey
                            + " to "
                            + toKey
                            + " lies outside table '"
                            + tables.get(table).name()
                            + "' of size "
                            + tables.get(table).size());
        }
        rangeFrom[table] = fromKey;
        rangeTo[table] = toKey;
    }
}
