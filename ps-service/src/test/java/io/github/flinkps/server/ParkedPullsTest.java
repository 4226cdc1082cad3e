package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.testing.TestingConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParkedPullsTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final TableSpec spec = TableSpec.sparse("t", 3, UpdateSpec.of("add")).withPartitions(1);
    private final TestingEntries entries =
            new TestingEntries(spec, ConsistencySpec.bsp(), 2, allocator);

    @AfterEach
    void everythingIsReleased() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private TestingConnection connection() {
        return new TestingConnection(allocator);
    }

    /** The client asks again over another connection: the frames would only wait here. */
    @Test
    void pullsOfAConnectionThatHasClosedAreLetGo() {
        TestingConnection closed = connection();
        TestingConnection other = connection();
        entries.pull(closed, 0, 1, 7);
        entries.pull(other, 1, 1, 7);
        assertThat(closed.reserved()).isPositive();
        entries.model().attempt().closed(closed);
        assertThat(closed.reserved()).isZero();
        assertThat(closed.sent()).isEmpty();
        assertThat(other.reserved()).isPositive();
        entries.model().attempt().expire(Long.MAX_VALUE / 2, 0);
        assertThat(ErrorFrame.of(other.sent().get(0))).hasMessageContaining("stands at clock 0");
        other.sent().forEach(ByteBuf::release);
    }

    /** The connection is gone, but nobody has told the server: the frames would wait twice. */
    @Test
    void aPullThatComesAgainOverAnotherConnectionReplacesTheOneBefore() {
        TestingConnection halfOpen = connection();
        TestingConnection again = connection();
        entries.pull(halfOpen, 0, 1, 7);
        entries.pull(again, 0, 1, 7);
        assertThat(halfOpen.reserved()).isZero();
        assertThat(again.reserved()).isPositive();
        entries.clock(0, 1, 1);
        entries.clock(1, 1, 1);
        entries.pull(again, 0, 0, 7);
        assertThat(halfOpen.sent()).isEmpty();
        assertThat(again.sent()).hasSize(2);
        again.sent().forEach(ByteBuf::release);
    }

    @Test
    void aPullThatComesAgainTakesItsOwnPlaceWhereThereIsNoOther() {
        TestingConnection halfOpen = connection();
        TestingConnection again = connection();
        ParkedPulls one = new ParkedPulls(1, 1 << 20);
        one.add(entries.clockAt(halfOpen, 0, 0));
        one.add(entries.clockAt(again, 0, 0));
        assertThat(halfOpen.reserved()).isZero();
        assertThat(again.reserved()).isPositive();
        ExchangeRequest other = entries.clockAt(again, 1, 0);
        assertThatThrownBy(() -> one.add(other)).hasMessage("too many pulls wait for a clock");
        other.release();
        one.closed(again);
        assertThat(again.reserved()).isZero();
        assertThat(one.isEmpty()).isTrue();
    }

    /** The answer has to travel: a client that hears nothing does not know why it waited. */
    @Test
    void aPullIsRefusedSomeTimeBeforeItsDeadline() {
        TestingConnection connection = connection();
        entries.pull(connection, 0, 1, 7); // its deadline is at 1 ms
        entries.model().attempt().expire(599_999, 400_000);
        assertThat(connection.sent()).isEmpty();
        entries.model().attempt().expire(600_000, 400_000);
        assertThat(ErrorFrame.of(connection.sent().get(0)).code()).isEqualTo(ErrorCode.NOT_READY);
        connection.sent().forEach(ByteBuf::release);
    }

    @Test
    void aPullIsAnsweredWhenTheSlowestHasComeAndNotBefore() {
        TestingConnection connection = connection();
        entries.pull(connection, 0, 1, 7);
        entries.clock(0, 1, 1);
        entries.pull(connection, 0, 0, 7);
        assertThat(connection.sent()).hasSize(1);
        entries.flag(1, ExchangeHeader.CLOCK, 1);
        entries.pull(connection, 0, 0, 7);
        assertThat(connection.sent()).hasSize(3);
        assertThat(connection.reserved()).isZero();
        connection.sent().forEach(ByteBuf::release);
    }
}
