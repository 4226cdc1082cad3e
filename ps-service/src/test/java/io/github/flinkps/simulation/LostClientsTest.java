package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ServerConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Clients that lose their connections, and what servers keep of them. */
class LostClientsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(200);
    private static final TableSpec TABLE = TableSpec.dense("t", 1, 1, UpdateSpec.of("add"));

    private final SimulatedCluster cluster =
            new SimulatedCluster(1, new int[] {2}, ServerConfig.defaults(), 1_000_000);

    private ModelSession open(ParameterClient client, String model, long fence, int worker) {
        ConsistencySpec asp = ConsistencySpec.asp();
        return cluster.await(
                client.open(new SessionSpec(model, "run", fence, worker, 1, asp, PATIENCE)),
                PATIENCE);
    }

    private ModelSession plain(ParameterClient client) {
        return open(client, "m", 0, SessionSpec.NO_WORKER);
    }

    private void push(ModelSession session) {
        cluster.await(session.exchange().pushRange("t", 0, 1, new float[] {1}, 1).send(), PATIENCE);
    }

    private float pull(ModelSession session) {
        float[] value = new float[1];
        cluster.await(session.exchange().pullRange("t", 0, 1, value).send(), PATIENCE);
        return value[0];
    }

    /** Cuts all connections, which clients make anew when they have something to send. */
    private void loseConnections(Duration time) {
        for (int i = 0; i < 50; i++) {
            cluster.network().cutOne();
        }
        cluster.time().runUntil(() -> false, cluster.time().now() + time.toNanos());
    }

    private void isUnknown(ModelSession session) {
        assertThatThrownBy(() -> pull(session))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_SESSION));
    }

    @Test
    void sessionsThatHoldNothingAreLetGoOf() {
        ParameterClient client = cluster.client(PATIENCE);
        ModelSession reader = plain(client);
        cluster.await(reader.createTable(TABLE), PATIENCE);
        ModelSession writer = plain(client);
        push(writer);
        ModelSession worker = open(client, "w", 1, 0);
        cluster.await(worker.createTable(TABLE), PATIENCE);
        loseConnections(Duration.ofSeconds(30));
        assertThat(pull(reader)).isEqualTo(1);
        cluster.time().runUntil(() -> false, cluster.time().now() + PATIENCE.toNanos());
        assertThat(pull(reader)).as("of a client that is there").isEqualTo(1);
        loseConnections(Duration.ofMinutes(3));
        isUnknown(reader);
        push(writer);
        assertThat(pull(writer)).isEqualTo(2);
        push(worker);
        loseConnections(Duration.ofHours(2));
        isUnknown(writer);
        push(worker);
        assertThat(pull(worker)).isEqualTo(2);
        assertThat(pull(plain(client))).isEqualTo(2);
        cluster.close();
    }
}
