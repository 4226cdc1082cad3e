package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.testing.TestingConnection;
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
    private static final Barriers.Name NAME = new Barriers.Name("m", "b");

    private final Barriers barriers = new Barriers();

    @AfterEach
    void releaseWhatWasSent() {
        connection.sent().forEach(ByteBuf::release);
    }

    /** Arrives at a barrier that never opens; the session's number is that of its answer too. */
    private void arrive(int session, int worker, long deadline) {
        barriers.arrive(
                new Barriers.Party(session, worker),
                NAME,
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

    /** All parties are told what all have said: the answers grow with the square of the parties. */
    @Test
    void answersOfABarrierAreLimited() {
        for (int[] shape : new int[][] {{0, 0}, {1, 65}, {4097, 0}, {2100, 3}}) {
            double[] values = new double[shape[1]];
            assertThatThrownBy(
                            () ->
                                    barriers.arrive(
                                            new Barriers.Party(1, 0),
                                            NAME,
                                            new AdminMessages.Barrier(
                                                    1, "b", shape[0], false, values),
                                            new Barriers.Arrival(
                                                    new ControlAnswer(
                                                            ApiKey.BARRIER, connection, 1),
                                                    1,
                                                    values)))
                    .hasMessageContaining("a barrier of " + shape[0] + " parties")
                    .extracting(error -> ((PsException) error).code())
                    .isEqualTo(ErrorCode.INVALID_ARGUMENT);
        }
        assertThat(barriers.isEmpty()).isTrue();
    }

    /** Lets workers meet as those of a job do: with one party more, which leads. */
    @Test
    void theMostWorkersMeet() {
        double[] losses = new double[3];
        for (int party = 0; party <= ServerConfig.MOST_WORKERS; party++) {
            barriers.arrive(
                    new Barriers.Party(party, party),
                    NAME,
                    new AdminMessages.Barrier(
                            party, "b", ServerConfig.MOST_WORKERS + 1, false, losses),
                    new Barriers.Arrival(
                            new ControlAnswer(ApiKey.BARRIER, connection, party), 1, losses));
        }
        assertThat(connection.sent()).hasSize(ServerConfig.MOST_WORKERS + 1);
        assertThat(barriers.isEmpty()).isTrue();
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

    /** A slash in a name brings nobody to the barrier of another model. */
    @Test
    void modelsMeetApart() {
        arrive(1, 0, 1);
        barriers.arrive(
                new Barriers.Party(2, 1),
                new Barriers.Name("m/b", ""),
                new AdminMessages.Barrier(2, "", 2, false, NOTHING),
                new Barriers.Arrival(new ControlAnswer(ApiKey.BARRIER, connection, 2), 1, NOTHING));
        assertThat(connection.sent()).isEmpty();
        barriers.close();
    }

    @Test
    void whatWaitsIsLimitedForAClientAndComesBack() {
        double[] values = new double[64];
        int arrived = 0;
        PsException refused = null;
        while (refused == null) {
            try {
                wait(arrived, values);
                arrived++;
            } catch (PsException e) {
                refused = e;
            }
        }
        assertThat(refused.code()).isEqualTo(ErrorCode.THROTTLED);
        assertThat(arrived).isBetween(2_000, 20_000);
        barriers.closed(connection);
        wait(0, values);
        barriers.expire(2);
        for (int i = 0; i < arrived; i++) {
            wait(i, values);
        }
        barriers.close();
        assertThat(barriers.isEmpty()).isTrue();
    }

    private void wait(int session, double[] values) {
        Barriers.Name name = new Barriers.Name("m", "b" + session / 100);
        barriers.arrive(
                new Barriers.Party(session, -1),
                name,
                new AdminMessages.Barrier(session, name.barrier(), 500, false, values),
                new Barriers.Arrival(
                        new ControlAnswer(ApiKey.BARRIER, connection, session), 1, values));
    }
}
