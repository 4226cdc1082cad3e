package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterServiceITCase {
    @ParameterizedTest
    @CsvSource({"1,false", "3,false", "1,true", "3,true"})
    void pushesAndPullsRangesOfADenseTable(int servers, boolean local) {
        try (TestingCluster cluster = TestingCluster.of(servers, local)) {
            ModelSession session = cluster.session("m");
            int rows = 100_003;
            int width = 3;
            get(
                    session.createTable(
                            TableSpec.dense("t", rows, width, UpdateSpec.sgd(0.5))
                                    .withPartitions(64)));
            float[] gradients = new float[rows * width];
            for (int i = 0; i < gradients.length; i++) {
                gradients[i] = i % 1000;
            }
            get(session.exchange().pushRange("t", 0, rows, gradients, 1).send());
            get(session.exchange().pushRange("t", 500, 70_000, gradients, 1).send());
            float[] values = new float[rows * width];
            get(session.exchange().pullRange("t", 0, rows, values).send());
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < width; column++) {
                    int i = row * width + column;
                    float expected = -0.5f * gradients[i];
                    if (row >= 500 && row < 70_000) {
                        expected -= 0.5f * gradients[i - 500 * width];
                    }
                    assertThat(values[i]).isEqualTo(expected);
                }
            }
            float[] part = new float[5];
            get(session.exchange().pullRange("t", 42, 43, part).send());
            assertThat(part[0]).isEqualTo(values[42 * width]);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,false,64", "3,false,64", "1,true,20", "3,true,20", "3,false,20"})
    void addsToASparseTableLikeAMap(int servers, boolean local, int keyBits) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (TestingCluster cluster = TestingCluster.of(servers, local)) {
            ModelSession session = cluster.session("m");
            get(
                    session.createTable(
                            TableSpec.sparse("t", 2, UpdateSpec.of("add")).withKeyBits(keyBits)));
            Map<Long, float[]> expected = new HashMap<>();
            for (int round = 0; round < 20; round++) {
                long[] raw =
                        random.longs(3000)
                                .map(k -> keyBits == 64 ? k & ~1023 : k & 0xFFFF)
                                .toArray();
                KeyList keys = session.keys("t", raw, 0, raw.length);
                float[] added = new float[keys.size() * 2];
                for (int i = 0; i < keys.size(); i++) {
                    added[2 * i] = i;
                    added[2 * i + 1] = 1;
                    float[] row = expected.computeIfAbsent(keys.key(i), key -> new float[2]);
                    row[0] += i;
                    row[1] += 1;
                }
                get(session.exchange().push(keys, added, 1).send());
                float[] pulled = new float[keys.size() * 2];
                get(session.exchange().pull(keys, pulled).send());
                for (int i = 0; i < raw.length; i++) {
                    assertThat(keys.key(keys.positions()[i])).isEqualTo(raw[i]);
                }
                for (int i = 0; i < keys.size(); i++) {
                    assertThat(pulled[2 * i]).isEqualTo(expected.get(keys.key(i))[0]);
                    assertThat(pulled[2 * i + 1]).isEqualTo(expected.get(keys.key(i))[1]);
                }
            }
            assertThat(scan(session, "t", 64)).hasSize(expected.size());
        }
    }

    private static Map<Long, Float> scan(ModelSession session, String table, int partitions) {
        Map<Long, Float> rows = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            long cursor = 0;
            while (cursor != RowChunk.END) {
                RowChunk chunk = get(session.scan(table, partition, cursor, false));
                for (int i = 0; i < chunk.keys().length; i++) {
                    rows.put(chunk.keys()[i], chunk.values()[i]);
                }
                cursor = chunk.nextCursor();
            }
        }
        return rows;
    }

    @Test
    void readsOfUntrainedRowsGiveTheInitializerAndStoreNothing() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession session = cluster.session("m");
            get(
                    session.createTable(
                            TableSpec.sparse("t", 1, UpdateSpec.sgd(0.1))
                                    .withInitializer(InitializerSpec.uniform(-1, 1), 7)));
            KeyList keys = session.keys("t", new long[] {1, 2, 3}, 0, 3);
            float[] first = new float[3];
            float[] second = new float[3];
            get(session.exchange().pull(keys, first).send());
            get(session.exchange().pull(keys, second).send());
            assertThat(first).isEqualTo(second).doesNotContain(0f);
            assertThat(scan(session, "t", 64)).isEmpty();
        }
    }

    @Test
    void aggregatesAreMergedOverServers() {
        try (TestingCluster cluster = TestingCluster.of(3, false)) {
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.sparse("t", 1, UpdateSpec.of("assign"))));
            get(session.createTable(TableSpec.sparse("u", 1, UpdateSpec.of("assign"))));
            long[] raw = {1, 2, 3, 4};
            for (String table : List.of("t", "u")) {
                KeyList keys = session.keys(table, raw, 0, 4);
                float[] values = new float[4];
                for (int i = 0; i < 4; i++) {
                    values[i] = keys.key(i) == 3 ? -30 : keys.key(i);
                }
                get(session.exchange().push(keys, values, 1).send());
            }
            assertThat(get(session.aggregate("t", "count", List.of())).values()).containsExactly(4);
            assertThat(get(session.aggregate("t", "sum", List.of())).values()).containsExactly(-23);
            assertThat(get(session.aggregate("t", "norm", List.of())).values())
                    .containsExactly(Math.sqrt(921));
            assertThat(get(session.aggregate("t", "top-k", List.of("2"))).keys())
                    .containsExactly(3, 4);
            assertThat(get(session.aggregate("t", "dot", List.of("u"))).values())
                    .containsExactly(921);
            assertThatThrownBy(() -> get(session.aggregate("t", "mean", List.of())))
                    .hasMessageContaining("top-k");
        }
    }

    @Test
    void takesPushesToATableMadeAfterAllOthersWereDropped() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession session = cluster.worker("m", 0, 1, ConsistencySpec.bsp());
            get(session.exchange().clock().send());
            for (String table : List.of("t", "u")) {
                get(
                        session.createTable(
                                TableSpec.dense(table, 10, 1, UpdateSpec.of("add"))
                                        .withPartitions(10)));
                float[] values = new float[10];
                Arrays.fill(values, 1);
                for (int i = 1; i <= 3; i++) {
                    get(session.exchange().pushRange(table, 0, 10, values, 1).clock().send());
                }
                float[] pulled = new float[10];
                get(session.exchange().pullRange(table, 0, 10, pulled).send());
                assertThat(pulled).containsOnly(3);
                get(session.dropTable(table));
            }
        }
    }

    @Test
    void refusesWhatIsWrongByName() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.dense("t", 10, 1, UpdateSpec.sgd(0.1))));
            assertThatThrownBy(
                            () ->
                                    get(
                                            session.createTable(
                                                    TableSpec.dense(
                                                            "t", 11, 1, UpdateSpec.sgd(0.1)))))
                    .isInstanceOf(PsException.class)
                    .hasMessageContaining("exists");
            assertThatThrownBy(
                            () ->
                                    get(
                                            session.createTable(
                                                    TableSpec.dense(
                                                            "u", 11, 1, UpdateSpec.of("sdg")))))
                    .hasMessageContaining("sgd");
            assertThatThrownBy(() -> session.keys("t", new long[] {10}, 0, 1))
                    .hasMessageContaining("key 10");
            assertThatThrownBy(() -> get(session.describe("nope")))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_TABLE));
            assertThatThrownBy(
                            () ->
                                    session.exchange()
                                            .pushRange("t", 0, 1, new float[] {Float.NaN}, 1))
                    .hasMessageContaining("NaN");
            float[] opposite = {Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
            assertThatThrownBy(() -> session.exchange().pushRange("t", 0, 2, opposite, 1))
                    .hasMessageContaining("infinite");
            float[] overflowing = {Float.MAX_VALUE, Float.MAX_VALUE};
            get(session.exchange().pushRange("t", 0, 2, overflowing, 1).send());
        }
    }
}
