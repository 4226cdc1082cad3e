package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.RowBatch;
import java.io.Serializable;
import java.util.List;

/**
 * The keys of the tables of features.
 *
 * @param features their number, of the keys from 0 on, or {@link TableSpec#SPARSE} for any keys
 * @param keyBits keys are below 2 to this power; 64 for any
 * @param partitions of each table, 0 for the default number
 */
record FeatureSpace(long features, int keyBits, int partitions) implements Serializable {
    static final List<ModelOption> OPTIONS =
            List.of(ModelOption.FEATURES, ModelOption.KEY_BITS, ModelOption.PARTITIONS);

    private static final long serialVersionUID = 1L;

    FeatureSpace {
        if (features != TableSpec.SPARSE && keyBits < 64) {
            throw new IllegalArgumentException(
                    "key-bits are for sparse tables, and do not go with features");
        }
    }

    static FeatureSpace of(OptionReader reader) {
        return new FeatureSpace(
                reader.whole(ModelOption.FEATURES.name(), TableSpec.SPARSE, 1, Long.MAX_VALUE),
                reader.count(ModelOption.KEY_BITS.name(), 64, 1, 64),
                reader.count(ModelOption.PARTITIONS.name(), 0, 1, Integer.MAX_VALUE));
    }

    /** Returns the space of any keys, for models that take no number of features. */
    static FeatureSpace sparse(OptionReader reader) {
        return new FeatureSpace(
                TableSpec.SPARSE,
                reader.count(ModelOption.KEY_BITS.name(), 64, 1, 64),
                reader.count(ModelOption.PARTITIONS.name(), 0, 1, Integer.MAX_VALUE));
    }

    boolean isDense() {
        return features != TableSpec.SPARSE;
    }

    /** Returns a table of these keys. */
    TableSpec table(String name, int width, UpdateSpec update) {
        TableSpec table =
                isDense()
                        ? TableSpec.dense(name, features, width, update)
                        : TableSpec.sparse(name, width, update);
        int count = partitions == 0 ? Math.min(table.partitions(), most()) : partitions;
        TableSpec cut = count == table.partitions() ? table : table.withPartitions(count);
        return isDense() ? cut : cut.withKeyBits(keyBits);
    }

    /** Returns the most partitions that so few keys can be cut into. */
    private int most() {
        return keyBits < 31 ? 1 << keyBits : Integer.MAX_VALUE;
    }

    /** Collects the keys of the rows for a table. */
    void touch(RowBatch rows, int from, int to, KeyCollector keys, int table, String tableName) {
        int first = rows.rowStart(from);
        int last = rows.rowStart(to);
        if (isDense()) {
            check(tableName, rows.keys(), first, last);
        }
        keys.add(table, rows.keys(), first, last);
    }

    private void check(String table, long[] keys, int first, int last) {
        for (int i = first; i < last; i++) {
            if (keys[i] < 0 || keys[i] >= features) {
                throw new IllegalArgumentException(
                        "feature index "
                                + keys[i]
                                + " is beyond the "
                                + features
                                + " features (0 to "
                                + (features - 1)
                                + ") of the dense table '"
                                + table
                                + "': raise --features");
            }
        }
    }
}
