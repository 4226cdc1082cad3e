package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.client.TrafficCounters;
import io.github.flinkps.client.ValueEncodings;
import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.codec.ValueFormat;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.testing.LeakExtension;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Gradients and values that are rounded on their way, and nowhere else. */
@ExtendWith(LeakExtension.class)
class ValueEncodingsITCase {
    private static final UpdateSpec ADD = UpdateSpec.of("add");
    private static final int ROWS = 3_000;
    private static final int WIDTH = 3;

    /** Between two numbers of 8 bits, and of 11 bits. */
    private static final float FINE = 1 + 1f / 4096;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private static SessionSpec spec(
            int worker, int workers, ConsistencySpec consistency, ValueEncodings encodings) {
        long fence = worker == SessionSpec.NO_WORKER ? 0 : 1;
        return new SessionSpec(
                        "m", "run", fence, worker, workers, consistency, TestingCluster.TIMEOUT)
                .withEncodings(encodings);
    }

    private static ModelSession plain(TestingCluster cluster, ValueEncodings encodings) {
        SessionSpec spec = spec(SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), encodings);
        return get(cluster.client().open(spec));
    }

    private static void createTables(ModelSession session) {
        get(session.createTable(TableSpec.sparse("sparse", WIDTH, ADD).withPartitions(16)));
        get(session.createTable(TableSpec.dense("dense", ROWS, WIDTH, ADD).withPartitions(7)));
        get(session.createTable(TableSpec.dense("bias", 1, 1, ADD)));
    }

    private float[] gradients() {
        float[] gradients = new float[ROWS * WIDTH];
        for (int i = 0; i < gradients.length; i++) {
            gradients[i] = (float) random.nextGaussian();
        }
        return gradients;
    }

    @ParameterizedTest
    @CsvSource({"FP16, true", "FP16, false", "BF16, true", "BF16, false"})
    void roundsWhatIsPushedOnce(ValueEncoding encoding, boolean local) {
        try (TestingCluster cluster = TestingCluster.of(2, local)) {
            ModelSession exact = plain(cluster, ValueEncodings.EXACT);
            createTables(exact);
            ModelSession rounding =
                    plain(cluster, new ValueEncodings(encoding, ValueEncoding.FP32));
            get(rounding.describe("sparse"));
            get(rounding.describe("dense"));
            get(rounding.describe("bias"));
            long[] keys = random.longs(ROWS).toArray();
            KeyList list = rounding.keys("sparse", keys, 0, ROWS);
            float[] gradients = gradients();
            get(rounding.exchange().push(list, gradients, 1).send());
            get(rounding.exchange().pushRange("dense", 0, ROWS, gradients, 1).send());
            get(rounding.exchange().pushRange("bias", 0, 1, new float[] {FINE}, 1).send());

            float[] pulled = new float[ROWS * WIDTH];
            get(rounding.exchange().pull(list, pulled).send());
            float[] rounded = rounded(gradients, encoding);
            assertThat(pulled).as("seed %d", seed).isEqualTo(rounded);
            assertThat(pulled).isNotEqualTo(gradients);
            Arrays.fill(pulled, 0);
            get(exact.exchange().pullRange("dense", 0, ROWS, pulled).send());
            assertThat(pulled).isEqualTo(rounded);
            get(exact.exchange().pullRange("bias", 0, 1, pulled).send());
            assertThat(pulled[0]).isEqualTo(FINE);
        }
    }

    @ParameterizedTest
    @CsvSource({"FP16, true", "FP16, false", "BF16, false"})
    void roundsWhatIsPulledAndNotWhatIsKept(ValueEncoding encoding, boolean local) {
        try (TestingCluster cluster = TestingCluster.of(2, local)) {
            ModelSession exact = plain(cluster, ValueEncodings.EXACT);
            createTables(exact);
            ModelSession rounding =
                    plain(cluster, new ValueEncodings(ValueEncoding.FP32, encoding));
            get(rounding.describe("sparse"));
            get(rounding.describe("dense"));
            long[] keys = LongStream.range(0, ROWS).toArray();
            float[] gradients = gradients();
            KeyList list = exact.keys("sparse", keys, 0, ROWS);
            get(exact.exchange().push(list, gradients, 1).send());
            get(exact.exchange().pushRange("dense", 0, ROWS, gradients, 1).send());

            float[] pulled = new float[ROWS * WIDTH];
            KeyList same = rounding.keys("sparse", keys, 0, ROWS);
            get(rounding.exchange().pull(same, pulled).send());
            float[] kept = new float[ROWS * WIDTH];
            get(exact.exchange().pull(list, kept).send());
            assertThat(pulled).as("seed %d", seed).isEqualTo(rounded(kept, encoding));
            assertThat(kept).isEqualTo(gradients);
            get(rounding.exchange().pullRange("dense", 0, ROWS, pulled).send());
            assertThat(pulled).isEqualTo(rounded(gradients, encoding));
        }
    }

    /** The unit of a wide row is its own, so that it does not matter what travels beside it. */
    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "2, false", "3, false"})
    void roundsWideRowsAlikeWhateverTheNumberOfServers(int servers, boolean local) {
        int width = 20;
        try (TestingCluster cluster = TestingCluster.of(servers, local)) {
            ModelSession exact = plain(cluster, ValueEncodings.EXACT);
            get(exact.createTable(TableSpec.sparse("sparse", width, ADD).withPartitions(16)));
            get(exact.createTable(TableSpec.dense("dense", ROWS, width, ADD).withPartitions(7)));
            ModelSession rounding =
                    plain(cluster, new ValueEncodings(ValueEncoding.INT8, ValueEncoding.INT8));
            get(rounding.describe("sparse"));
            get(rounding.describe("dense"));
            float[] gradients = new float[ROWS * width];
            for (int i = 0; i < gradients.length; i++) {
                gradients[i] = (float) random.nextGaussian();
            }
            KeyList list = rounding.keys("sparse", random.longs(ROWS).toArray(), 0, ROWS);
            get(rounding.exchange().push(list, gradients, 1).send());
            get(rounding.exchange().pushRange("dense", 0, ROWS, gradients, 1).send());

            float[] kept = new float[ROWS * width];
            get(exact.exchange().pullRange("dense", 0, ROWS, kept).send());
            float[] pushed = rounded(gradients, ValueEncoding.INT8, width, 1);
            assertThat(kept).as("seed %d", seed).isEqualTo(pushed).isNotEqualTo(gradients);
            float[] expected = rounded(kept, ValueEncoding.INT8, width, ValueFormat.NEAREST);
            float[] pulled = new float[ROWS * width];
            get(rounding.exchange().pullRange("dense", 0, ROWS, pulled).send());
            assertThat(pulled).isEqualTo(expected);
            Arrays.fill(pulled, 0);
            get(rounding.exchange().pull(list, pulled).send());
            assertThat(pulled).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void keepsNarrowRowsWithinTheUnitOfTheirBlock(boolean local) {
        try (TestingCluster cluster = TestingCluster.of(2, local)) {
            ValueEncodings int8 = new ValueEncodings(ValueEncoding.INT8, ValueEncoding.INT8);
            ModelSession rounding =
                    get(cluster.client().open(spec(0, 1, ConsistencySpec.bsp(), int8)));
            createTables(rounding);
            float[] gradients = gradients();
            KeyList list = rounding.keys("sparse", random.longs(ROWS).toArray(), 0, ROWS);
            float[] pulled = new float[ROWS * WIDTH];
            int times = 100;
            for (int time = 0; time < times; time++) {
                get(rounding.exchange().push(list, gradients, 1).clock(time + 1).send());
            }
            get(rounding.exchange().pull(list, pulled).send());
            float unit = 7f / 127; // of what is longer than any
            for (int i = 0; i < pulled.length; i++) { // pushed by chance, pulled by rounding
                assertThat(pulled[i] / times)
                        .as("seed %d, value %d", seed, i)
                        .isCloseTo(gradients[i], within(unit * (.5f + .5f * 7 / 10)));
            }
        }
    }

    /** Rounds of BSP keep the frames of pushes until all workers have pushed. */
    @Test
    void sumsUpAsFloat32() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ValueEncodings halves = new ValueEncodings(ValueEncoding.FP16, ValueEncoding.FP32);
            ConsistencySpec bsp = ConsistencySpec.bsp();
            ModelSession first = get(cluster.client().open(spec(0, 2, bsp, halves)));
            ModelSession second = get(cluster.client().open(spec(1, 2, bsp, halves)));
            createTables(first);
            get(second.describe("dense"));
            float[] ones = new float[ROWS * WIDTH];
            Arrays.fill(ones, 1);
            float[] small = new float[ROWS * WIDTH];
            Arrays.fill(small, 1f / 4096); // lost beside 1 in 11 bits
            get(first.exchange().pushRange("dense", 0, ROWS, ones, 1).clock(1).send());
            get(second.exchange().pushRange("dense", 0, ROWS, small, 1).clock(1).send());
            float[] pulled = new float[ROWS * WIDTH];
            get(first.exchange().pullRange("dense", 0, ROWS, pulled).send());
            assertThat(pulled).containsOnly(FINE);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "FP32")
    void savesBytesOfValues(ValueEncoding encoding) {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            createTables(plain(cluster, ValueEncodings.EXACT));
            TrafficCounters exact = traffic(cluster, ValueEncodings.EXACT);
            TrafficCounters fewer = traffic(cluster, new ValueEncodings(encoding, encoding));
            long saved =
                    ValueEncoding.FP32.format(WIDTH).valueBytes(ROWS)
                            - encoding.format(WIDTH).valueBytes(ROWS);
            assertThat(exact.bytesSent() - fewer.bytesSent()).isBetween(saved - 199, saved + 199);
            assertThat(exact.bytesReceived() - fewer.bytesReceived())
                    .isBetween(saved - 199, saved + 199);
        }
    }

    private static TrafficCounters traffic(TestingCluster cluster, ValueEncodings encodings) {
        ParameterClient client = cluster.client();
        SessionSpec spec = spec(SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), encodings);
        ModelSession session = get(client.open(spec));
        get(session.describe("dense"));
        float[] values = new float[ROWS * WIDTH];
        TrafficCounters before = client.traffic();
        get(session.exchange().pushRange("dense", 0, ROWS, values, 1).send());
        get(session.exchange().pullRange("dense", 0, ROWS, values).send());
        TrafficCounters after = client.traffic();
        return new TrafficCounters(
                after.bytesSent() - before.bytesSent(),
                after.bytesReceived() - before.bytesReceived(),
                after.requests() - before.requests(),
                0);
    }

    private static float[] rounded(float[] values, ValueEncoding encoding) {
        return rounded(values, encoding, WIDTH, ValueFormat.NEAREST);
    }

    private static float[] rounded(float[] values, ValueEncoding encoding, int width, long dither) {
        float[] rounded = new float[values.length];
        ValueFormat format = encoding.format(width);
        int rows = values.length / width;
        ByteBuffer bytes = ByteBuffer.allocate(format.encodedSize(rows));
        format.encode(values, 0, rows, dither, bytes, 0);
        format.decode(bytes, format.read(bytes, 0, bytes.capacity(), rows), rows, rounded, 0);
        return rounded;
    }
}
