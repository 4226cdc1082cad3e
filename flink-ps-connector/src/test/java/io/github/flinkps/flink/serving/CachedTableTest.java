package io.github.flinkps.flink.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.testing.TestingParameterService;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows are pulled again once they are as old as a prediction may be, in ranges or by key. */
class CachedTableTest {
    private static final long FRESH = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private TestingParameterService service;
    private ParameterClient client;
    private ModelSession session;

    /** A time that has run for long, so that it may overflow. */
    private long now = Long.MAX_VALUE - FRESH / 2;

    @BeforeEach
    void start() throws Exception {
        service = TestingParameterService.create("cached-table");
        client = service.backend().connect(List.of(), TIMEOUT);
        session = ServedModel.session(client, "m", TIMEOUT);
    }

    @AfterEach
    void stop() {
        session.close();
        client.close();
        service.close();
    }

    private CachedTable table(TableSpec spec) throws Exception {
        session.createTable(spec).get(10, TimeUnit.SECONDS);
        return new CachedTable(spec, 10);
    }

    private void store(TableSpec spec, float value) throws Exception {
        long[] keys = {0, 1, 2, 3};
        float[] values = new float[keys.length];
        Arrays.fill(values, value);
        RowChunk rows = new RowChunk(0, keys, values, new float[0][], 0, RowChunk.END);
        session.load(spec.name(), rows).get(10, TimeUnit.SECONDS);
    }

    /** Returns whether anything was pulled. */
    private boolean pull(CachedTable table) throws Exception {
        Exchange exchange = session.exchange();
        boolean any = table.pull(session, exchange, now - FRESH);
        if (any) {
            exchange.send().get(10, TimeUnit.SECONDS);
        }
        table.arrived(now);
        return any;
    }

    private boolean pullRange(CachedTable table, long from, long to) throws Exception {
        table.begin();
        table.range(from, to);
        return pull(table);
    }

    private boolean pullKeys(CachedTable table, long... keys) throws Exception {
        table.begin();
        table.add(keys, 0, keys.length);
        return pull(table);
    }

    @Test
    void aRangeGoesStale() throws Exception {
        TableSpec spec = TableSpec.dense("bias", 4, 1, UpdateSpec.of("add"));
        CachedTable table = table(spec);
        store(spec, 1);
        assertThat(pullRange(table, 0, 3)).isTrue();
        store(spec, 2);
        now += FRESH;
        assertThat(pullRange(table, 0, 3)).isFalse();
        assertThat(table.values()).containsExactly(1, 1, 1);
        now++;
        assertThat(pullRange(table, 0, 3)).isTrue();
        assertThat(table.values()).containsExactly(2, 2, 2);
        assertThat(pullRange(table, 1, 3)).as("another range").isTrue();
        assertThat(table.values()).containsExactly(2, 2);
    }

    @Test
    void rowsGoStaleOneByOne() throws Exception {
        TableSpec spec = TableSpec.sparse("weights", 1, UpdateSpec.of("add"));
        CachedTable table = table(spec);
        store(spec, 1);
        assertThat(pullKeys(table, 0, 1)).isTrue();
        store(spec, 2);
        now += FRESH;
        assertThat(pullKeys(table, 2, 1, 0)).isTrue();
        assertThat(Arrays.copyOf(table.values(), 3)).containsExactly(2, 1, 1);
        now++;
        store(spec, 3);
        assertThat(pullKeys(table, 0, 1, 2)).isTrue();
        assertThat(Arrays.copyOf(table.values(), 3)).containsExactly(3, 3, 2);
        assertThat(pullKeys(table, 1, 2)).isFalse();
    }
}
