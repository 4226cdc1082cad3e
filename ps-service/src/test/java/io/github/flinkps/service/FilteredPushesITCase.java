package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.FilteredPushes;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.PushFilter;
import io.github.flinkps.client.Residuals;
import io.github.flinkps.client.SignificanceFilter;
import io.github.flinkps.client.ValueEncodings;
import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.testing.TestingServices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that what filters retain reaches the rows later, and as it should. */
class FilteredPushesITCase {
    private static final int WIDTH = 5;
    private static final int KEYS = 100;
    private static final long[] ALL = LongStream.range(0, KEYS).toArray();

    private final TestingCluster cluster = TestingCluster.of(2, true);
    private TestingCluster other;
    private ModelSession worker;

    @BeforeEach
    void open() {
        worker = cluster.worker("m", 0, 1, ConsistencySpec.asp());
    }

    @AfterEach
    void close() {
        cluster.close();
        if (other != null) {
            other.close();
        }
    }

    private TableSpec table(boolean sparse, UpdateSpec update) {
        TableSpec spec =
                sparse
                        ? TableSpec.sparse("t", WIDTH, update)
                        : TableSpec.dense("t", KEYS, WIDTH, update).withPartitions(7);
        return get(worker.createTable(spec));
    }

    /** Returns what is pulled, by key. */
    private float[] pulled() {
        KeyList keys = worker.keys("t", ALL, 0, KEYS);
        float[] rows = new float[KEYS * WIDTH];
        get(worker.exchange().pull(keys, rows).send());
        float[] values = new float[KEYS * WIDTH];
        for (int key = 0; key < KEYS; key++) {
            System.arraycopy(rows, keys.positions()[key] * WIDTH, values, key * WIDTH, WIDTH);
        }
        return values;
    }

    private interface Shown {
        boolean retained(PushFilter.Rows rows, int row);
    }

    private static PushFilter retaining(Shown shown) {
        return rows -> {
            for (int row = 0; row < rows.count(); row++) {
                if (shown.retained(rows, row)) {
                    rows.retain(row);
                }
            }
        };
    }

    /** Pushes the key plus one, of some keys. */
    private void push(FilteredPushes pushes, double weight, boolean range, long... some) {
        KeyList keys = worker.keys("t", some, 0, some.length);
        float[] gradients = new float[some.length * WIDTH];
        for (int i = 0; i < some.length; i++) {
            long key = range ? some[0] + i : keys.key(i);
            Arrays.fill(gradients, i * WIDTH, (i + 1) * WIDTH, (float) key + 1);
        }
        float[] values = new float[gradients.length];
        Exchange exchange = worker.exchange();
        if (range) {
            pushes.pushRange(exchange, "t", some[0], some.length, values, gradients, weight);
        } else {
            pushes.push(exchange, keys, values, gradients, weight);
        }
        get(exchange.clock(weight).send());
    }

    @Test
    void whatIsHeldComesWithTheNextUpdateOfItsKeyOrAtTheEnd() {
        for (boolean sparse : new boolean[] {true, false}) {
            List<TableSpec> tables = List.of(table(sparse, UpdateSpec.of("add")));
            Residuals residuals = new Residuals(tables);
            PushFilter oddOnes =
                    retaining((rows, row) -> rows.clock() % 5 < 3 && rows.key(row) % 2 > 0);
            FilteredPushes pushes = new FilteredPushes(worker, tables, oddOnes, residuals);
            long begun = worker.clock();
            push(pushes, 1, false, 50, 4, 7, 9);
            push(pushes, 1, !sparse, 4, 5, 6, 7);
            assertThat(residuals.rows()).isEqualTo(3);
            float[] now = pulled();
            assertThat(now[WIDTH * 4]).isEqualTo(10);
            assertThat(now[WIDTH * 7]).isZero();
            push(pushes, 1, false, 4);
            push(pushes, 1, false, 7); // is sent, with what was retained
            assertThat(pulled()[WIDTH * 7 + 1]).isEqualTo(3 * 8);
            assertThat(residuals.rows()).isEqualTo(2);
            Exchange rest = worker.exchange();
            assertThat(pushes.pushRest(rest, 1)).isTrue();
            get(rest.send());
            float[] all = pulled();
            assertThat(all[WIDTH * 5]).isEqualTo(6);
            assertThat(all[WIDTH * 9 + 1]).isEqualTo(10);
            assertThat(all[WIDTH * 50]).isEqualTo(51);
            assertThat(residuals.rows()).isZero();
            assertThat(pushes.retainedRows()).isEqualTo(4);
            assertThat(pushes.pushedRows()).isEqualTo(2 + 2 + 1 + 1 + 2);
            assertThat(worker.clock()).isEqualTo(begun + 5);
            assertThat(pushes.pushRest(worker.exchange(), 1)).isFalse();
            get(worker.dropTable("t"));
        }
    }

    /** Rows of some keys travel with these, those of all with a signature. */
    @ParameterizedTest
    @CsvSource({
        "64,1,32,FP32,true",
        "64,1,35,FP32,false",
        "64,10,80,FP32,true",
        "64,10,80,FP16,false",
        "64,10,70,FP16,true",
        "20,1,35,FP32,true",
        "20,1,70,FP32,false"
    })
    void rowsAreHeldWhereThatMakesPushesShorter(
            int keyBits, int width, int sent, ValueEncoding encoding, boolean shorter) {
        TableSpec spec = TableSpec.sparse("t", width, UpdateSpec.of("add")).withKeyBits(keyBits);
        List<TableSpec> tables = List.of(get(worker.createTable(spec)));
        PushFilter some = retaining((rows, row) -> row >= sent);
        ValueEncodings encodings = new ValueEncodings(encoding, ValueEncoding.FP32);
        FilteredPushes pushes =
                new FilteredPushes(worker, encodings, tables, some, new Residuals(tables));
        float[] gradients = new float[KEYS * width];
        Arrays.fill(gradients, 1);
        KeyList keys = worker.keys("t", ALL, 0, KEYS);
        pushes.push(worker.exchange(), keys, gradients.clone(), gradients, 1);
        assertThat(pushes.pushedRows()).isEqualTo(shorter ? sent : KEYS);
        assertThat(pushes.retainedRows()).isEqualTo(shorter ? KEYS - sent : 0);
    }

    /** Mini-batches of different weights, as at the end of a pass. */
    @ParameterizedTest
    @ValueSource(strings = {"sgd", "add", MeanUpdateFactory.NAME})
    void theMeansOfMiniBatchesAddUp(String function) {
        UpdateSpec update = UpdateSpec.of(function);
        float[] atOnce = trained(update, false);
        assertThat(atOnce[WIDTH * 2]).isNotZero();
        assertThat(trained(update, true)).containsExactly(atOnce, within(1e-4f));
    }

    @Test
    void aFunctionOfOnesOwnThatStepsWithTheMeanTrainsAsTheBuiltInOne() {
        assertThat(trained(UpdateSpec.of(MeanUpdateFactory.NAME), true))
                .containsExactly(trained(UpdateSpec.sgd(MeanUpdateFactory.RATE), true));
    }

    /** The function is on the class path of the servers' threads alone. */
    @Test
    void clientsAreToldByServersWhatAFunctionTakes(@TempDir Path folder) throws Exception {
        float[] expected = trained(UpdateSpec.sgd(MeanUpdateFactory.RATE), true);
        TestingServices.with(
                folder,
                UpdateFunctionFactory.class,
                OnServersAlone.class,
                () -> {
                    UpdateSpec own = UpdateSpec.of(OnServersAlone.ON_SERVERS);
                    other = TestingCluster.of(2, true);
                    worker = other.worker("m", 0, 1, ConsistencySpec.asp());
                    // starts the servers' threads, which see for good what this one sees now
                    get(worker.createTable(TableSpec.dense("first", 100, 1, own)));
                    Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
                    assertThat(UpdateFunctions.find(own.name())).isEmpty();
                    assertThat(trained(own, true)).containsExactly(expected);
                    return null;
                });
    }

    /** Named by no file of the class path. */
    public static final class OnServersAlone extends MeanUpdateFactory {
        static final String ON_SERVERS = "on-servers";

        @Override
        public String name() {
            return ON_SERVERS;
        }
    }

    /** The rows after some mini-batches, all of whose updates are retained to the end or none. */
    private float[] trained(UpdateSpec update, boolean retain) {
        List<TableSpec> tables = List.of(table(true, update));
        FilteredPushes pushes =
                new FilteredPushes(
                        worker, tables, retaining((rows, row) -> retain), new Residuals(tables));
        push(pushes, 64, false, 1, 2, 3);
        push(pushes, 1, false, 2);
        push(pushes, 17, false, 3, 4);
        Exchange rest = worker.exchange();
        if (pushes.pushRest(rest, 64)) {
            get(rest.send());
        }
        float[] rows = pulled();
        get(worker.dropTable("t"));
        return rows;
    }

    @Test
    void tablesOfValuesThatAreReplacedAreNotFiltered() {
        List<TableSpec> tables = List.of(table(true, UpdateSpec.of("assign")));
        FilteredPushes pushes =
                new FilteredPushes(
                        worker, tables, retaining((rows, row) -> true), new Residuals(tables));
        push(pushes, 1, false, 3);
        assertThat(pulled()[WIDTH * 3]).isEqualTo(4);
    }

    @Test
    void aMiniBatchWithoutWeightLeavesMeansAlone() {
        List<TableSpec> tables = List.of(table(true, UpdateSpec.sgd(1)));
        Residuals residuals = new Residuals(tables);
        FilteredPushes pushes =
                new FilteredPushes(worker, tables, retaining((rows, row) -> true), residuals);
        push(pushes, 2, false, 3);
        Exchange exchange = worker.exchange();
        KeyList keys = worker.keys("t", new long[] {3}, 0, 1);
        pushes.push(exchange, keys, new float[WIDTH], new float[WIDTH], 0);
        assertThat(residuals.rows()).isEqualTo(1);
    }

    @Test
    void whatIsNotFiniteIsNotHeld() {
        List<TableSpec> tables = List.of(table(true, UpdateSpec.of("add")));
        FilteredPushes pushes =
                new FilteredPushes(
                        worker, tables, retaining((rows, row) -> true), new Residuals(tables));
        KeyList keys = worker.keys("t", new long[] {3}, 0, 1);
        float[] gradients = {1, Float.NaN, 0, 0, 0};
        assertThatThrownBy(
                        () -> pushes.push(worker.exchange(), keys, new float[WIDTH], gradients, 1))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FINITE));
    }

    /** A row, its mean gradient, and whether it is retained at a threshold of a tenth. */
    private record Case(float value, float mean, boolean retained) {}

    @Test
    void rowsAreHeldUntilTheirUpdateIsSignificant() {
        List<Case> cases =
                List.of(
                        new Case(1, .05f, true),
                        new Case(1, .2f, false),
                        new Case(-30, 2.9f, true),
                        new Case(-30, -3.1f, false),
                        new Case(0, 1e-6f, false),
                        new Case(0, 0, true));
        List<TableSpec> tables = List.of(table(true, UpdateSpec.of("add")));
        SignificanceFilter filter = new SignificanceFilter(.1);
        List<Boolean> retained = new ArrayList<>();
        for (Case each : cases) {
            FilteredPushes pushes =
                    new FilteredPushes(worker, tables, filter, new Residuals(tables));
            float[] values = {0, each.value, 0, 0, 0};
            float[] gradients = {0, 8 * each.mean, 0, 0, 0};
            KeyList keys = worker.keys("t", new long[] {3}, 0, 1);
            Exchange exchange = worker.exchange();
            pushes.push(exchange, keys, values, gradients, 8);
            retained.add(pushes.retainedRows() == 1);
        }
        assertThat(retained).isEqualTo(cases.stream().map(Case::retained).toList());
        for (double wrong : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new SignificanceFilter(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("significance-threshold must be a number of at least 0");
        }
    }
}
