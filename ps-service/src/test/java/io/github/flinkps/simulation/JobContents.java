package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Holds what the model of a simulated job has.
 *
 * @param seen how often each row has been trained
 * @param shared by key, how often rows have been trained that share it
 * @param trained the rows of {@link TrainedTables}, as {@link PlainModel#rows} tells them
 */
record JobContents(float[] seen, Map<Long, Float> shared, Map<String, String> trained) {
    private static final int SHARED = 24;

    /** Returns the tables that a job of so many rows trains. */
    static List<TableSpec> tables(int rows) {
        List<TableSpec> tables = new ArrayList<>(TrainedTables.ALL);
        tables.add(TableSpec.dense("seen", rows, 1, UpdateSpec.of("add")).withPartitions(3));
        tables.add(TableSpec.dense("visible", rows, 1, UpdateSpec.of("add")).withPartitions(5));
        tables.add(
                TableSpec.sparse("shared", 2, UpdateSpec.of("add"))
                        .withKeyBits(20)
                        .withPartitions(8));
        return tables;
    }

    /** Returns the key that a row shares with others. */
    static long sharedKey(int row) {
        return (row * 7L) % SHARED;
    }

    /** Reads by a plain client. */
    static final class Reader {
        private final SimulatedCluster cluster;
        private final ModelSession session;

        Reader(SimulatedCluster cluster, ModelSession session) {
            this.cluster = cluster;
            this.session = session;
        }

        JobContents read(int rows) {
            for (TableSpec table : tables(rows)) {
                cluster.await(session.describe(table.name()), SimulatedJob.PATIENCE);
            }
            float[] seen = new float[rows];
            cluster.await(
                    session.exchange().pullRange("seen", 0, rows, seen).send(),
                    SimulatedJob.PATIENCE);
            Map<Long, Float> counts = new HashMap<>();
            float[][] shared = read("shared", SHARED, 2);
            for (int key = 0; key < shared.length; key++) {
                counts.put((long) key, shared[key][0]);
                assertThat(shared[key][1]).isEqualTo(shared[key][0]);
            }
            return new JobContents(seen, counts, trained());
        }

        /** Reads the rows of {@link TrainedTables}. */
        Map<String, String> trained() {
            Map<String, String> trained = new HashMap<>();
            for (TableSpec table : TrainedTables.ALL) {
                cluster.await(session.describe(table.name()), SimulatedJob.PATIENCE);
                float[][] values = read(table.name(), TrainedTables.keys(table), table.width());
                trained.putAll(PlainModel.rows(table, key -> values[(int) key]));
            }
            return trained;
        }

        private float[][] read(String table, int count, int width) {
            KeyList keys = session.keys(table, LongStream.range(0, count).toArray(), 0, count);
            float[] all = new float[count * width];
            cluster.await(session.exchange().pull(keys, all).send(), SimulatedJob.PATIENCE);
            float[][] rows = new float[count][];
            for (int i = 0; i < count; i++) {
                rows[(int) keys.key(i)] = Arrays.copyOfRange(all, i * width, (i + 1) * width);
            }
            return rows;
        }
    }
}
