package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.testing.TestingConnection;
import io.github.flinkps.transport.Connection;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutOutcomesTest {
    private static final byte[] PART = {7};

    private final CutOutcomes outcomes = new CutOutcomes(1);
    private final List<Object> told = new ArrayList<>();

    private void await(String model, long cut, Connection connection) {
        outcomes.await(
                new CutOutcomes.Name(model, 1, cut),
                new CutOutcomes.Waiter(connection, 10, parts -> told.add(parts.get(0)), told::add));
    }

    private void written(String model, long cut) {
        outcomes.written(new CutOutcomes.Name(model, 1, cut), 0, PART);
    }

    @Test
    void noModelMakesTheCutsOfAnotherForgotten() {
        written("a", 1);
        for (int cut = 0; cut < 10_000; cut++) {
            outcomes.failed(new CutOutcomes.Name("b", 1, cut), "given up");
        }
        await("a", 1, null);
        assertThat(told).containsExactly(PART);
    }

    @Test
    void whoWaitsIsAnsweredHoweverManyWait() {
        for (int cut = 0; cut < CutOutcomes.MOST_WAITERS; cut++) {
            await("b", cut, null);
        }
        assertThatThrownBy(() -> await("b", 1, null))
                .extracting(e -> ((PsException) e).code())
                .isEqualTo(ErrorCode.THROTTLED);
        await("a", 1, null);
        written("a", 1);
        assertThat(told).containsExactly(PART);
        for (int cut = 0; cut < CutOutcomes.MOST_WAITERS; cut++) {
            written("b", cut);
        }
        assertThat(told).hasSize(1 + CutOutcomes.MOST_WAITERS);
        assertThat(outcomes.hasWaiters()).isFalse();
    }

    @Test
    void nobodyWaitsOverAConnectionThatIsGone() {
        Connection gone = new TestingConnection(UnpooledByteBufAllocator.DEFAULT);
        await("a", 1, gone);
        outcomes.closed(gone);
        assertThat(outcomes.hasWaiters()).isFalse();
        outcomes.expire(11);
        assertThat(told).isEmpty();
    }

    @Test
    void whoWaitsForAModelThatIsDroppedIsTold() {
        await("a", 1, null);
        outcomes.forget("a");
        assertThat(told)
                .singleElement()
                .extracting(e -> ((PsException) e).code())
                .isEqualTo(ErrorCode.UNKNOWN_MODEL);
    }
}
