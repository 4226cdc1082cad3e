package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ChunkHeader;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NettyConnectionTest {
    private static final int LARGE_BYTES = 12 << 20;

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true, true);

    /** Buffers for which there is memory. */
    private final AtomicInteger heads = new AtomicInteger(Integer.MAX_VALUE);

    private final AbstractByteBufAllocator full =
            new AbstractByteBufAllocator(true) {
                @Override
                protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                    return memory.heapBuffer(initialCapacity, maxCapacity);
                }

                @Override
                protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
                    if (heads.getAndDecrement() <= 0) {
                        throw new OutOfMemoryError("no memory for the head of a chunk");
                    }
                    return memory.directBuffer(initialCapacity, maxCapacity);
                }

                @Override
                public boolean isDirectBufferPooled() {
                    return false;
                }
            };

    private static final class Handler implements FrameHandler {
        private Throwable closed;
        private int frames;

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frames++;
            frame.release();
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {
            closed = cause;
        }
    }

    /** The caller that waits for it learns that it does not come, and all of it is released. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void aLargeFrameThatCannotBeSentEndsTheConnection(int sent) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(full);
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1 << 20, 2 << 20));
        NettyLoop loop = new NettyLoop(channel.eventLoop(), new HeapFailure(0));
        NettyConnection connection =
                new NettyConnection(
                        channel,
                        loop,
                        1 << 20,
                        ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT),
                        0,
                        true);
        Handler handler = new Handler();
        connection.handler(handler);
        channel.pipeline().addLast(connection);
        heads.set(sent);
        for (long correlation = 1; correlation <= 2; correlation++) {
            ByteBuf frame = memory.directBuffer(LARGE_BYTES).writerIndex(LARGE_BYTES);
            FrameHeader.writeResponse(frame, ApiKey.EXCHANGE.id(), correlation, 0, 0);
            connection.send(frame);
        }
        channel.runPendingTasks();
        channel.finishAndReleaseAll();
        assertThat(channel.isOpen()).isFalse();
        assertThat(handler.closed).hasMessageContaining("no memory for the head");
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }

    /** Holds up what closes a channel, as TLS does while its farewell is not taken. */
    private static final class HoldingUp extends ChannelOutboundHandlerAdapter {
        @Override
        public void close(ChannelHandlerContext ctx, ChannelPromise promise) {}
    }

    /** Its memory is back at once, and it takes no more. */
    @Test
    void whoGivesWayIsClosedBeneathTls() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(memory);
        NettyLoop loop = new NettyLoop(channel.eventLoop(), new HeapFailure(0));
        ConnectionLimits limits =
                new ConnectionLimits(9, 9, 1000, 1000, ConnectionLimits.PEER_TIMEOUT);
        NettyConnection connection =
                new NettyConnection(channel, loop, 1 << 20, limits, 20_000, false);
        Handler handler = new Handler();
        connection.handler(handler);
        connection.client(1, "bert");
        channel.pipeline().addLast(new TlsRecords(connection), new HoldingUp(), connection);
        ByteBuf begun = memory.directBuffer(100).writerIndex(100);
        FrameHeader.writeRequest(begun, ApiKey.EXCHANGE, 0);
        channel.writeInbound(begun.setIntLE(0, 900));
        AssemblyRoom.Share other = limits.assembly().share("10.0.0.1", () -> {});
        other.client("anna");
        other.occupy(900, false);
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(memory.metric().usedDirectMemory()).isZero();
        channel.finishAndReleaseAll();
        assertThat(handler.closed).hasMessageContaining("assembly-bytes");
    }

    /** Lets whoever has called the other end assemble what it has asked for. */
    @Test
    void aClientIsNoStranger() {
        ConnectionLimits limits = ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);
        List<EmbeddedChannel> channels = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            EmbeddedChannel channel = new EmbeddedChannel();
            channel.config().setAllocator(memory);
            NettyLoop loop = new NettyLoop(channel.eventLoop(), new HeapFailure(0));
            NettyConnection connection =
                    new NettyConnection(channel, loop, 64 << 20, limits, 0, true);
            connection.handler(new Handler());
            channel.pipeline().addLast(connection);
            int bytes = 20 << 20;
            ByteBuf begun = memory.directBuffer(bytes).writerIndex(bytes);
            FrameHeader.writeRequest(begun, ApiKey.EXCHANGE, 0);
            channel.writeInbound(begun.setIntLE(0, bytes + 1));
            channels.add(channel);
        }
        for (EmbeddedChannel channel : channels) {
            channel.runPendingTasks();
            assertThat(channel.isOpen()).isTrue();
            channel.finishAndReleaseAll();
        }
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }

    /** A frame of which bytes are gone would else go on with those that TLS still decrypts. */
    @Test
    void nothingIsTakenOnceAReadHasFailed() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(memory);
        NettyLoop loop = new NettyLoop(channel.eventLoop(), new HeapFailure(0));
        ConnectionLimits limits = ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);
        NettyConnection connection = new NettyConnection(channel, loop, 1 << 20, limits, 0, true);
        Handler handler = new Handler();
        connection.handler(handler);
        channel.pipeline().addLast(new HoldingUp(), connection);
        ByteBuf whole = memory.directBuffer(100).writerIndex(100);
        FrameHeader.writeRequest(whole, ApiKey.EXCHANGE, 0);
        whole.setIntLE(0, 100);
        ByteBuf begun = whole.copy(0, 60);
        ByteBuf rest = whole.copy(60, 40);
        channel.writeInbound(whole, begun);
        assertThat(handler.frames).isEqualTo(1);
        channel.pipeline().fireExceptionCaught(new OutOfMemoryError("of a test"));
        channel.writeInbound(rest);
        assertThat(handler.frames).isEqualTo(1);
        channel.finishAndReleaseAll();
        channel.pipeline().remove(connection);
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }

    /** Answers without end, each too small to ask for room, are not kept for who takes none. */
    @Test
    void smallAnswersThatAreNotTakenEndTheConnection() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(memory);
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1 << 20, 2 << 20));
        NettyLoop loop = new NettyLoop(channel.eventLoop(), new HeapFailure(0));
        ConnectionLimits limits =
                new ConnectionLimits(9, 9, 1 << 20, 4 << 20, ConnectionLimits.PEER_TIMEOUT);
        NettyConnection connection = new NettyConnection(channel, loop, 1 << 20, limits, 0, false);
        Handler handler = new Handler();
        connection.handler(handler);
        channel.pipeline().addLast(new NotSending(), connection);
        connection.client(1, "anna");
        int sent = 0;
        while (channel.isOpen() && sent < 10_000) {
            ByteBuf answer = memory.directBuffer(10_000).writerIndex(10_000);
            FrameHeader.writeResponse(answer, ApiKey.PING.id(), sent++, 0, 0);
            connection.send(answer);
            channel.runPendingTasks();
        }
        assertThat(sent).isBetween(200, 300); // more than half of what all may have, and an eighth
        channel.finishAndReleaseAll();
        assertThat(handler.closed).hasMessageContaining("unsent-bytes");
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }

    /** Keeps what is written in the channel's buffer. */
    private static final class NotSending extends ChannelOutboundHandlerAdapter {
        @Override
        public void flush(ChannelHandlerContext ctx) {}
    }

    /** Lets so many flushes through, and keeps what is written after them. */
    private static final class Sluice extends ChannelOutboundHandlerAdapter {
        private int open;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (open > 0) {
                open--;
                ctx.flush();
            }
        }
    }

    /** Adds a connection of client anna to a channel, behind a handler. */
    private NettyConnection anna(
            EmbeddedChannel channel,
            ChannelOutboundHandlerAdapter before,
            ConnectionLimits limits,
            FrameHandler handler) {
        channel.config().setAllocator(memory);
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1 << 20, 2 << 20));
        NettyLoop loop = new NettyLoop(channel.eventLoop(), new HeapFailure(0));
        NettyConnection connection = new NettyConnection(channel, loop, 64 << 20, limits, 0, false);
        connection.handler(handler);
        channel.pipeline().addLast(before, connection);
        connection.client(1, "anna");
        return connection;
    }

    private ByteBuf answer(long correlation, int bytes) {
        ByteBuf answer = memory.directBuffer(bytes).writerIndex(bytes);
        FrameHeader.writeResponse(answer, ApiKey.EXCHANGE.id(), correlation, 0, 0);
        return answer;
    }

    /** Counts the memory that an answer holds until its last piece has gone, and once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 10, 11})
    void anAnswerOfWhichATailIsNotTakenCountsWhole(int taken) {
        EmbeddedChannel channel = new EmbeddedChannel();
        ConnectionLimits limits =
                new ConnectionLimits(9, 9, 1 << 20, 32 << 20, ConnectionLimits.PEER_TIMEOUT);
        Sluice sluice = new Sluice();
        NettyConnection connection = anna(channel, sluice, limits, new Handler());
        UnsentRoom.Share bert = limits.unsent().share(() -> {});
        bert.client("bert");
        bert.set(1 << 20);
        UnsentRoom.Share other = limits.unsent().share(() -> {});
        other.client("anna");
        sluice.open = taken;
        connection.send(answer(1, LARGE_BYTES));
        channel.runPendingTasks();
        int left = (16 << 20) - LARGE_BYTES;
        assertThat(other.has(left + (64 << 10))).as("the rest of what a name has").isFalse();
        assertThat(other.has(left - (64 << 10))).isTrue();
        sluice.open = Integer.MAX_VALUE;
        channel.flush();
        channel.runPendingTasks();
        assertThat(other.has(15 << 20)).isTrue();
        channel.finishAndReleaseAll();
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }

    /** A frame that may not begin yet holds up none that may. */
    @Test
    void aSmallerFrameBeginsBeforeOneThatMustWait() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Sluice sluice = new Sluice();
        ConnectionLimits limits = ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);
        NettyConnection connection = anna(channel, sluice, limits, new Handler());
        connection.send(answer(1, 20 << 20));
        connection.send(answer(2, 20 << 20));
        connection.send(answer(3, 2 << 20));
        connection.send(answer(4, 2 << 20));
        sluice.open = Integer.MAX_VALUE;
        channel.flush();
        channel.runPendingTasks();
        List<Long> begun = new ArrayList<>();
        for (ByteBuf head = channel.readOutbound(); head != null; head = channel.readOutbound()) {
            if (ChunkHeader.offset(head) == 0) {
                begun.add(FrameHeader.correlation(head));
            }
            head.release();
            channel.<ByteBuf>readOutbound().release();
        }
        assertThat(begun).containsExactly(1L, 3L, 4L, 2L);
        channel.finishAndReleaseAll();
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }

    /** Answers each frame with what makes the connection wait. */
    private final class Answering implements FrameHandler {
        private int frames;

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frames++;
            frame.release();
            connection.send(answer(frames, 2 << 20));
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {}
    }

    /** Counts frames that are whole and wait among those that are not, until they are handed on. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesThatWaitTakeRoomUntilTheyAreHandedOn(boolean handedOn) {
        EmbeddedChannel channel = new EmbeddedChannel();
        ConnectionLimits limits =
                new ConnectionLimits(9, 9, 1 << 20, 64 << 20, ConnectionLimits.PEER_TIMEOUT);
        Sluice sluice = new Sluice();
        Answering handler = new Answering();
        NettyConnection connection = anna(channel, sluice, limits, handler);
        connection.limitUnsent(1 << 20);
        int waiting = 600_000;
        ByteBuf frames = memory.directBuffer(FrameHeader.BYTES + waiting);
        for (int length : new int[] {FrameHeader.BYTES, waiting}) {
            ByteBuf frame = memory.directBuffer(length).writerIndex(length);
            FrameHeader.writeRequest(frame, ApiKey.EXCHANGE, 0);
            frames.writeBytes(frame.setIntLE(0, length));
            frame.release();
        }
        channel.writeInbound(frames);
        channel.runPendingTasks();
        assertThat(handler.frames).isEqualTo(1);
        assertThat(channel.isOpen()).isTrue();
        if (handedOn) {
            sluice.open = Integer.MAX_VALUE;
            channel.flush();
            channel.runPendingTasks();
            assertThat(handler.frames).isEqualTo(2);
        }
        AssemblyRoom.Share other = limits.assembly().share("10.0.0.1", () -> {});
        other.client("bert");
        other.occupy(500_000, false);
        channel.runPendingTasks();
        assertThat(channel.isOpen()).as("it has most, and gives way").isEqualTo(handedOn);
        channel.finishAndReleaseAll();
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }
}
