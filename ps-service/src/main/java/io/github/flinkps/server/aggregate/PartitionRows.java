package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.store.Partition;
import java.nio.FloatBuffer;

/** The rows of a {@link Partition}. */
public final class PartitionRows implements TableRows {
    private final Partition partition;

    public PartitionRows(Partition partition) {
        this.partition = partition;
    }

    @Override
    public TableSpec spec() {
        return partition.spec();
    }

    @Override
    public long rows() {
        return partition.rows();
    }

    @Override
    public void lookUp(long[] keys, int count, float[] values) {
        long[] places = keys;
        if (spec().isSparse()) {
            KeyHash hash = KeyHash.of(spec().keyBits());
            places = new long[count];
            for (int i = 0; i < count; i++) {
                places[i] = hash.hash(keys[i]);
            }
        }
        int[] rows = new int[count];
        partition.resolve(places, 0, count, rows);
        partition.gather(places, rows, 0, count, FloatBuffer.wrap(values));
    }
}
