package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.StoreLimits;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.Polling;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Operations that end while some of their requests wait to be sent: their arrays are the caller's
 * again, who writes something else there; servers get what was pushed.
 */
@ExtendWith(LeakExtension.class)
class GivenArraysITCase {
    /** Rows of a table whose values fill what a session may have under way at an owner. */
    private static final int LARGE = 3_000_000;

    private static final ConsistencySpec IN_STEP = ConsistencySpec.ssp(0);
    private static final UpdateSpec ADD = UpdateSpec.of("add");
    private static final int MOST_ROWS = 10;

    private TestingCluster cluster;
    private ModelSession ahead;
    private ModelSession behind;

    @BeforeEach
    void fillTheWindow() {
        StoreLimits rows =
                new StoreLimits(ServerConfig.defaults().store().keyCacheBytes(), MOST_ROWS);
        cluster =
                new TestingCluster(1, false, ServerConfig.defaults().withOwners(2).withStore(rows));
        ahead = cluster.worker("m", 0, 2, IN_STEP);
        behind = cluster.worker("m", 1, 2, IN_STEP);
        get(ahead.createTable(TableSpec.dense("large", LARGE, 1, ADD).withPartitions(1)));
        get(ahead.createTable(TableSpec.sparse("t", 1, ADD).withPartitions(2)));
        get(behind.describe("t"));
        ahead.exchange().clock().pullRange("large", 0, LARGE, new float[LARGE]).send();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Returns keys of which the first ones, few, are of the owner that has the large table. */
    private static long[] keys(ModelSession session, int ofFirst, int ofSecond) {
        KeyList all = session.keys("t", LongStream.range(0, 60).toArray(), 0, 60);
        LongStream first = LongStream.range(0, ofFirst).map(i -> all.key((int) i));
        LongStream second = LongStream.range(60 - ofSecond, 60).map(i -> all.key((int) i));
        return LongStream.concat(first, second).toArray();
    }

    /** Lets what waits be sent, and returns what then comes of the first three keys. */
    private float[] pushed(long[] keys) throws Exception {
        get(behind.exchange().clock().send());
        float[] values = new float[3];
        KeyList list = behind.keys("t", keys, 0, values.length);
        Polling.await(
                "nothing comes",
                () -> {
                    get(behind.exchange().pull(list, values).send());
                    return values[0] != 0;
                });
        return values;
    }

    @Test
    void whatFailsAtOneServerSendsOthersWhatItWasGiven() throws Exception {
        long[] keys = keys(ahead, 3, MOST_ROWS + 10);
        KeyList list = ahead.keys("t", keys, 0, keys.length);
        float[] ones = new float[keys.length];
        Arrays.fill(ones, 1);
        CompletableFuture<Void> push = ahead.exchange().push(list, ones, 1).send();
        assertThatThrownBy(() -> get(push))
                .hasMessageContaining("partition 1 holds 0 rows and cannot take 20 more");
        Arrays.fill(ones, Float.NaN);

        assertThat(pushed(keys)).containsExactly(1, 1, 1);
    }

    @Test
    void aSessionThatIsClosedSendsNothingElse() throws Exception {
        long[] keys = keys(ahead, 3, 0);
        float[] ones = {1, 1, 1};
        CompletableFuture<Void> push =
                ahead.exchange().push(ahead.keys("t", keys, 0, keys.length), ones, 1).send();
        ahead.close();
        assertThat(push).isCompletedExceptionally();
        Arrays.fill(ones, Float.NaN);
        assertThat(pushed(keys)).containsExactly(1, 1, 1);
    }
}
