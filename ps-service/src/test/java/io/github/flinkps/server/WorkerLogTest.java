package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.server.WorkerLog.Order;
import io.github.flinkps.testing.TestingConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class WorkerLogTest {
    @Test
    void entriesAreTakenOnceAndThoseBelowTheWindowRefused() {
        assertThat(WorkerLog.order(0, 0)).isEqualTo(Order.NEXT);
        assertThat(WorkerLog.order(0, 1)).isEqualTo(Order.EARLY);
        assertThat(WorkerLog.order(5000, 5000)).isEqualTo(Order.NEXT);
        assertThat(WorkerLog.order(5000, 4999)).isEqualTo(Order.DONE);
        assertThat(WorkerLog.order(5000, 5000 - WorkerLog.WINDOW)).isEqualTo(Order.DONE);
        assertThatThrownBy(() -> WorkerLog.order(5000, 4999 - WorkerLog.WINDOW))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_TOO_OLD));
    }

    /** The client may have been cut off before the refusal reached it. */
    @Test
    void anEntryThatWasRefusedIsRefusedAgain() {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
        TableSpec spec = TableSpec.sparse("t", 1, UpdateSpec.of("add")).withPartitions(1);
        TestingEntries entries = new TestingEntries(spec, ConsistencySpec.asp(), 1, allocator);
        TestingConnection connection = new TestingConnection(allocator);
        entries.flag(0, ExchangeHeader.IDLE, 0);
        for (int times = 0; times < 2; times++) {
            entries.model().handle(entries.clockAt(connection, 0, 0));
            assertThat(ErrorFrame.of(connection.sent().get(times)))
                    .hasMessageContaining("must rejoin before its clock moves");
        }
        connection.sent().forEach(ByteBuf::release);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void earlyEntriesOfAConnectionThatHasClosedAreLetGo() {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
        TableSpec spec = TableSpec.sparse("t", 1, UpdateSpec.of("add")).withPartitions(1);
        TestingEntries entries = new TestingEntries(spec, ConsistencySpec.asp(), 1, allocator);
        TestingConnection closed = new TestingConnection(allocator);
        TestingConnection other = new TestingConnection(allocator);
        entries.model().handle(entries.clockAt(closed, 0, 1));
        entries.model().handle(entries.clockAt(other, 0, 2));
        assertThat(closed.reserved()).isPositive();
        entries.model().attempt().closed(closed);
        assertThat(closed.reserved()).isZero();
        assertThat(other.reserved()).isPositive();
        entries.model().attempt().expire(Long.MAX_VALUE / 2, 0);
        assertThat(ErrorFrame.of(other.sent().get(0))).hasMessageContaining("has not come");
        other.sent().forEach(ByteBuf::release);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    /** A client that is cut off sends again what was early, over another connection. */
    @Test
    void anEarlyEntryThatComesAgainReplacesTheOneBefore() {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
        TableSpec spec = TableSpec.sparse("t", 1, UpdateSpec.of("add")).withPartitions(1);
        TestingEntries entries = new TestingEntries(spec, ConsistencySpec.asp(), 1, allocator);
        TestingConnection first = new TestingConnection(allocator);
        TestingConnection again = new TestingConnection(allocator);
        WorkerLog log = new WorkerLog();
        log.addEarly(entries.clockAt(first, 0, 2), 1 << 20);
        log.addEarly(entries.clockAt(again, 0, 2), 1 << 20);
        assertThat(first.reserved()).isZero();
        assertThat(again.reserved()).isPositive();
        log.failEarly(new PsException(ErrorCode.CLOSED, "over"));
        assertThat(again.reserved()).isZero();
        assertThat(first.sent()).isEmpty();
        assertThat(again.sent()).hasSize(1);
        again.sent().forEach(ByteBuf::release);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }
}
