package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.server.aggregate.AggregateFunctions;
import io.github.flinkps.testing.TestingConnection;
import io.github.flinkps.testing.TestingLoop;
import io.github.flinkps.transport.Connection;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AggregateQueueTest {
    private static final int MEGABYTE = 1 << 20;

    private final OwnerModel model =
            new OwnerModel("m", new OwnerModel.OwnerShare(0, 1, 0, 1), ServerConfig.defaults());

    /** A loop that never comes to the turns. */
    private final AggregateQueue queue = new AggregateQueue(new TestingLoop());

    AggregateQueueTest() {
        model.beginAttempt(ConsistencySpec.asp(), 1);
        model.createTable(0, TableSpec.dense("t", 10, 1, UpdateSpec.of("add")));
    }

    private static Connection connection(String client) {
        TestingConnection made = new TestingConnection(UnpooledByteBufAllocator.DEFAULT);
        made.client(1, client);
        return made;
    }

    /** Adds an aggregate whose arguments are a text of so many characters. */
    private void add(Connection connection, int characters) {
        add(connection, characters, List.of("x".repeat(characters)));
    }

    /** Adds an aggregate with some arguments, of a request of so many bytes. */
    private void add(Connection connection, int bytes, List<String> arguments) {
        queue.admit(connection, bytes);
        AdminMessages.Aggregate request =
                new AdminMessages.Aggregate(1, 0, "sum", new ArrayList<>(arguments));
        queue.add(
                connection,
                new AggregateScan(
                        model,
                        new AggregateFunctions().find("sum"),
                        () -> {},
                        request,
                        MEGABYTE,
                        connection,
                        bytes));
    }

    private void isRefused(Connection connection, int characters, ErrorCode code, String part) {
        assertThatThrownBy(() -> add(connection, characters))
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(part);
    }

    @Test
    void argumentsThatWaitAreBoundedByClientHoweverManyConnectionsItHas() {
        Connection first = connection("anna");
        Connection second = connection("anna");
        for (int i = 0; i < 3; i++) {
            add(first, MEGABYTE / 2);
        }
        add(second, MEGABYTE / 4);
        isRefused(first, MEGABYTE, ErrorCode.THROTTLED, "bytes of arguments");
        isRefused(second, MEGABYTE, ErrorCode.THROTTLED, "bytes of arguments");
        add(connection("bert"), MEGABYTE);
        queue.closed(first);
        add(second, MEGABYTE);
    }

    /** Each argument is an object, however short it is. */
    @Test
    void argumentsWithoutCharactersTakeMemoryToo() {
        Connection many = connection("anna");
        add(many, MEGABYTE, Collections.nCopies(MEGABYTE - 100, ""));
        isRefused(many, 1, ErrorCode.THROTTLED, "bytes of arguments");
    }

    @Test
    void oneThatIsTooLongIsRefusedByItself() {
        int most = AggregateQueue.MOST_BYTES_OF_A_REQUEST;
        isRefused(connection("anna"), most + 1, ErrorCode.TOO_LARGE, "an aggregate takes");
        add(connection("anna"), most);
    }

    @Test
    void aConnectionHasSoManyAtMost() {
        Connection many = connection("anna");
        for (int i = 0; i < AggregateQueue.MOST_OF_A_CONNECTION; i++) {
            add(many, 1);
        }
        isRefused(many, 1, ErrorCode.THROTTLED, "of this connection are under way");
        add(connection("anna"), 1);
    }
}
