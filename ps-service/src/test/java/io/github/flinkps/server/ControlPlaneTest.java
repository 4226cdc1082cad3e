package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.OpenModelMessage;
import io.github.flinkps.protocol.ScanMessage;
import io.github.flinkps.security.AccessRules.Right;
import io.github.flinkps.security.TestingRules;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.TestingConnection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakExtension.class)
class ControlPlaneTest {
    private static final UnpooledByteBufAllocator MEMORY = UnpooledByteBufAllocator.DEFAULT;

    private final ManualLoop loop = new ManualLoop();
    private final TestingRules rules = new TestingRules();
    private final Owner owner = new Owner(loop, ServerConfig.defaults());
    private final ControlPlane control =
            new ControlPlane(loop, List.of(owner), ServerConfig.defaults(), rules.rules(), null);
    private final TestingConnection anna = new TestingConnection(MEMORY);

    /** Runs commands at once, and those that are for later when the test says so. */
    private static final class ManualLoop implements Loop {
        private final ArrayDeque<Runnable> later = new ArrayDeque<>();
        private long now;

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public Runnable schedule(Runnable command, long delayNanos) {
            later.add(command);
            return () -> later.remove(command);
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }

        @Override
        public long nanoTime() {
            return now;
        }

        /** Runs what is for later, and not what that schedules. */
        void runLater() {
            now += TimeUnit.SECONDS.toNanos(1);
            for (int left = later.size(); left > 0; left--) {
                later.remove().run();
            }
        }
    }

    private ByteBuf ask(FrameHandler handler, ByteBuf request) {
        handler.onFrame(anna, request);
        return anna.sent().remove(anna.sent().size() - 1);
    }

    private ErrorCode scan(int session) {
        ByteBuf answer = ask(owner, new ScanMessage(session, 1, 0, 0, false).encode(MEMORY));
        try {
            return ErrorFrame.of(answer).code();
        } finally {
            answer.release();
        }
    }

    /** Rules of which one look has failed, such as for want of memory, count when they change. */
    @Test
    void rulesAreLookedUpAgainAfterALookThatFailed() {
        anna.client(7, "anna");
        rules.permit(Right.TRAIN);
        OpenModelMessage.Request open =
                new OpenModelMessage.Request("m", "run", 0, -1, 1, ConsistencySpec.asp(), 0, 1);
        ByteBuf opened = ask(control, open.encode(MEMORY));
        int session = OpenModelMessage.Response.decode(opened).session();
        opened.release();
        assertThat(scan(session)).isEqualTo(ErrorCode.UNKNOWN_TABLE);

        rules.failOnce(new OutOfMemoryError("of a test"));
        assertThatThrownBy(loop::runLater).hasMessage("of a test");
        rules.permitNothing();
        assertThat(scan(session)).as("nobody has looked").isEqualTo(ErrorCode.UNKNOWN_TABLE);
        loop.runLater();
        assertThat(scan(session)).isEqualTo(ErrorCode.FORBIDDEN);
    }
}
