package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BarriersTest {
    private static final double[] NOTHING = {};

    private final TestingConnection connection =
            new TestingConnection(new UnpooledByteBufAllocator(false));
    private final Barriers barriers = new Barriers();

    @AfterEach
    void releaseWhatWasSent() {
        connection.sent().forEach(ByteBuf::release);
    }

    /** Arrives at a barrier that never opens; the session's number is that of its answer too. */
    private void arrive(int session, int worker, long deadline) {
        barriers.arrive(
                new Barriers.Party(session, worker),
                "b",
                new AdminMessages.Barrier(session, "b", 10, false, NOTHING),
                new Barriers.Arrival(
                        new ControlAnswer(ApiKey.BARRIER, connection, session), deadline, NOTHING));
    }

    private Map<Long, String> told() {
        Map<Long, String> told = new TreeMap<>();
        for (ByteBuf frame : connection.sent()) {
            PsException error = ErrorFrame.of(frame);
            assertThat(told.put(FrameHeader.correlation(frame), error.getMessage())).isNull();
        }
        return told;
    }

    @Test
    void eachSessionThatIsReplacedIsToldItsOwnReason() {
        for (int worker = -1; worker < 6; worker++) {
            arrive(10 + worker, worker, 1);
        }
        Map<Integer, PsException> ended = new TreeMap<>();
        for (int session : new int[] {10, 11, 13, 14}) {
            ended.put(session, new PsException(ErrorCode.FENCED, "replaced " + session));
        }
        barriers.refuse(ended);
        assertThat(told())
                .hasSize(4)
                .allSatisfy((session, why) -> assertThat(why).contains("replaced " + session));
        barriers.expire(1);
        assertThat(told()).hasSize(7).hasEntrySatisfying(9L, why -> assertThat(why).contains("3"));
        assertThat(barriers.isEmpty()).isTrue();
    }
}
