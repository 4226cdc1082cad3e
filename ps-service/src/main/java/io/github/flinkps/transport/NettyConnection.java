package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ChunkHeader;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.security.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.UncheckedBooleanSupplier;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection over a socket. Reads straight into the frame under assembly, writes frames as they
 * are, large ones in chunks that take turns with whatever else is sent. All fields belong to the
 * channel's event loop.
 */
final class NettyConnection extends ChannelInboundHandlerAdapter implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);

    /** The largest buffer that Netty's pool caches by thread. */
    private static final int READ_BYTES = 32 * 1024;

    /** Enough for what is left of a frame, its header, and a piece that is there. */
    private static final int READS_IN_A_ROW = 4;

    private static final int FLUSH_BYTES = 64 * 1024;

    /** Bytes of a read from an encrypted socket: a few records, of which the last stays in it. */
    private static final int ENCRYPTED_BYTES = 64 * 1024;

    /** Bytes of such a read before the other end has said who it is. */
    private static final int STRANGER_BYTES = 4 * 1024;

    /** More records than an honest peer sends in a row without a byte for us in them. */
    private static final int MOST_SILENT_RECORDS = 64;

    /** Fewer bytes than these always find room where no more is unsent, and are not counted. */
    private static final int SMALL_BYTES = 64 * 1024;

    private static final int WHOLE_FRAME_BYTES =
            ChunkHeader.CHUNK_BYTES + ChunkHeader.CHUNK_BYTES / 2;

    private final Channel channel;
    private final ConnectionLimits limits;
    private final AssemblyRoom.Share share;
    private final FrameAssembler assembler;
    private final ArrayDeque<ByteBuf> large = new ArrayDeque<>();
    private final ArrayDeque<ByteBuf> largeWaiting = new ArrayDeque<>();
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private volatile NettyLoop loop;
    private FrameHandler handler;
    private boolean reading;
    private boolean moving;
    private boolean closed;
    private boolean paused;
    private boolean stopped;

    /** True once the other end has said who it is; a server is known by whom we call. */
    private boolean known;

    /** Records of TLS since the last that held something for us. */
    private int silentRecords;

    /** Reads that ended a record of TLS though none was asked for. */
    private int unaskedReads;

    private int unflushed;
    private long largeBytes;

    /** Bytes not sent as {@link UnsentRoom} knows them, but for the last few. */
    private long counted;

    private long maxUnsent = Long.MAX_VALUE;
    private long held;
    private long client;
    private String clientName;
    private Throwable failure;

    /** Ends the watch over frames that do not go on; null at a client, and before the hello. */
    private Runnable endWatch;

    /**
     * A connection.
     *
     * @param encrypted what the socket reads is not what frames hold: a turn ends with each read
     * @param known whether it is at a client, which has called the other end
     */
    NettyConnection(
            Channel channel,
            NettyLoop loop,
            int maxFrameBytes,
            ConnectionLimits limits,
            boolean encrypted,
            boolean known) {
        this.channel = channel;
        this.loop = loop;
        this.limits = limits;
        this.known = known;
        this.share = limits.assembly().share(this::giveWay);
        this.assembler = new FrameAssembler(channel.alloc(), maxFrameBytes, share, this::deliver);
        channel.config()
                .setRecvByteBufAllocator(
                        encrypted ? new RecordReceiveAllocator() : new FrameReceiveAllocator());
    }

    /** Sets the first handler, before the channel is active. */
    void handler(FrameHandler first) {
        this.handler = first;
    }

    /**
     * Offers the frame under assembly to the socket. A connection's turn ends with the read that
     * ends a frame: the others of its loop, and timers, have theirs before the next read. Otherwise
     * one whose peer asks again at once is served for as long as it does, and who waits beside it
     * starves.
     */
    private final class FrameReceiveAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
        FrameReceiveAllocator() {
            super(READS_IN_A_ROW);
        }

        @Override
        @SuppressWarnings("deprecation") // the only way to name the type of a handle
        public RecvByteBufAllocator.Handle newHandle() {
            return new MaxMessageHandle() {
                @Override
                public int guess() {
                    return READ_BYTES;
                }

                @Override
                public ByteBuf allocate(ByteBufAllocator alloc) {
                    ByteBuf target = assembler.target();
                    return target == null ? alloc.ioBuffer(READ_BYTES, READ_BYTES) : target;
                }

                @Override
                public void reset(ChannelConfig config) {
                    super.reset(config);
                    assembler.beginTurn();
                }

                /**
                 * Returns how much a read asked for. Netty takes it that there is more if as much
                 * was read; so at the end of a turn it is more than any read.
                 */
                @Override
                public int attemptedBytesRead() {
                    return assembler.isTurnOver() ? Integer.MAX_VALUE : super.attemptedBytesRead();
                }

                @Override
                public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
                    return !assembler.isTurnOver() && super.continueReading(maybeMore);
                }
            };
        }
    }

    /** Reads some records of TLS, with which the turn of an encrypted connection ends. */
    private final class RecordReceiveAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
        RecordReceiveAllocator() {
            super(1);
        }

        @Override
        @SuppressWarnings("deprecation") // the only way to name the type of a handle
        public RecvByteBufAllocator.Handle newHandle() {
            return new MaxMessageHandle() {
                private boolean over;

                @Override
                public int guess() {
                    return known ? ENCRYPTED_BYTES : STRANGER_BYTES;
                }

                @Override
                public void reset(ChannelConfig config) {
                    super.reset(config);
                    over = false;
                }

                @Override
                public void lastBytesRead(int bytes) {
                    super.lastBytesRead(bytes);
                    over = true;
                }

                /** Returns how much a read asked for, as at the end of another's turn. */
                @Override
                public int attemptedBytesRead() {
                    return over ? Integer.MAX_VALUE : super.attemptedBytesRead();
                }
            };
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        reading = true;
        silentRecords = 0;
        assembler.accept((ByteBuf) message);
    }

    /**
     * Takes word of bytes of TLS that are about to be decrypted.
     *
     * @param part bytes of the record that they end within, which are kept until it is whole; or 0
     * @param records which are whole by them
     */
    void onRecords(int bytes, int part, int records) {
        if (!closed) {
            int buffer = known ? ENCRYPTED_BYTES : STRANGER_BYTES + 2 * part;
            assembler.beneath(bytes, part > 0 ? buffer : 0);
            silentRecords += records;
            unaskedReads += paused && records > 0 ? 1 : 0;
        }
    }

    /**
     * Counts what is kept, once all that could be has been decrypted. Ends a connection by whose
     * records nothing comes, such as changes of keys without end: each is answered, and TLS reads
     * the next by itself.
     */
    void afterRecords() {
        if (closed) {
            return;
        }
        assembler.count();
        pauseIfBehind();
        if (silentRecords > MOST_SILENT_RECORDS || unaskedReads > MOST_SILENT_RECORDS) {
            end(ErrorCode.MALFORMED, "records of TLS come that hold nothing");
        }
    }

    private void deliver(ByteBuf frame) {
        if (closed || stopped) {
            frame.release();
        } else if (moving || paused) {
            waiting.add(frame);
        } else {
            handler.onFrame(this, frame);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        if (unflushed > 0) {
            flush();
            pauseIfBehind();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!closed) {
            release();
            handler.onClosed(this, failure);
        }
    }

    /** Ends the connection, also if its channel was never active. */
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (!closed) {
            release();
        }
    }

    private void release() {
        closed = true;
        largeBytes = 0;
        count(0);
        if (endWatch != null) {
            endWatch.run();
        }
        assembler.close();
        large.forEach(ByteBuf::release);
        large.clear();
        largeWaiting.forEach(ByteBuf::release);
        largeWaiting.clear();
        waiting.forEach(ByteBuf::release);
        waiting.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        loop.report(cause);
        failure = TlsFailure.afterwards(cause);
        if (failure instanceof PsException known && known.code() == ErrorCode.UNAUTHENTICATED) {
            LOG.info("Connection of {} ended: {}", peer(), known.getMessage());
        }
        ctx.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sendChunks();
        long unsent = unsent();
        count(unsent);
        if (paused && unsent <= maxUnsent / 2) {
            channel.eventLoop().execute(this::resume); // not within a handler that is sending
        }
    }

    /** Tells how much has not been sent, if it is much more or less than was told last. */
    private void count(long unsent) {
        long more = (closed ? 0 : unsent) - counted;
        if (Math.abs(more) >= SMALL_BYTES || (closed && more != 0)) {
            counted += more;
            limits.unsent().change(clientName, more);
        }
    }

    @Override
    public boolean hasRoomFor(long bytes) {
        return unsent() + bytes < SMALL_BYTES || limits.unsent().has(clientName, bytes);
    }

    private long unsent() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return largeBytes + (out == null ? 0 : out.totalPendingWriteBytes());
    }

    /** Stops reading when the other end asks for more than it takes. */
    private void pauseIfBehind() {
        long unsent = unsent();
        count(unsent);
        if (!paused && unsent > maxUnsent) {
            paused = true;
            channel.config().setAutoRead(false);
        }
    }

    private void resume() {
        if (!paused || closed || unsent() > maxUnsent / 2) {
            return;
        }
        paused = false;
        unaskedReads = 0;
        goOn();
    }

    @Override
    public void stopReading() {
        stopped = true;
        channel.config().setAutoRead(false);
    }

    /** Takes frames that waited, and then more, unless the other end falls behind meanwhile. */
    private void goOn() {
        while (!paused && !waiting.isEmpty()) {
            handler.onFrame(this, waiting.poll());
        }
        if (!paused && !stopped) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void send(ByteBuf frame) {
        if (channel.eventLoop().inEventLoop()) {
            sendNow(frame);
            return;
        }
        try {
            channel.eventLoop().execute(() -> sendNow(frame));
        } catch (RejectedExecutionException e) {
            frame.release();
        }
    }

    private void sendNow(ByteBuf frame) {
        if (closed) {
            frame.release();
            return;
        }
        if (frame.readableBytes() > WHOLE_FRAME_BYTES) {
            largeBytes += frame.readableBytes();
            largeWaiting.add(frame);
            sendChunks();
            pauseIfBehind();
            return;
        }
        unflushed += frame.readableBytes();
        channel.write(frame, channel.voidPromise());
        if (!reading || unflushed > FLUSH_BYTES) {
            flush();
            pauseIfBehind();
        }
    }

    private void flush() {
        unflushed = 0;
        channel.flush();
    }

    /**
     * Sends one chunk of each large frame in turn while the socket takes them. Without memory for
     * that the connection ends: frames of which a part has been sent cannot be taken back.
     */
    private void sendChunks() {
        try {
            while (channel.isWritable() && !closed) {
                while (large.size() < ChunkHeader.MAX_CHUNKED_FRAMES && !largeWaiting.isEmpty()) {
                    large.add(largeWaiting.poll());
                }
                if (large.isEmpty()) {
                    return;
                }
                sendChunk();
            }
        } catch (RuntimeException | Error e) {
            failure = e;
            channel.close();
        }
    }

    private void sendChunk() {
        ByteBuf frame = large.element();
        int bytes = Math.min(ChunkHeader.CHUNK_BYTES, frame.readableBytes());
        ByteBuf head = channel.alloc().directBuffer(FrameHeader.BYTES, FrameHeader.BYTES);
        head.writerIndex(FrameHeader.BYTES);
        ChunkHeader.write(head, frame, frame.readerIndex(), bytes);
        ByteBuf piece = frame.readRetainedSlice(bytes);
        largeBytes -= bytes;
        large.remove();
        if (frame.isReadable()) {
            large.add(frame);
        } else {
            frame.release();
        }
        channel.write(head, channel.voidPromise());
        channel.write(piece, channel.voidPromise());
        flush();
    }

    @Override
    public String certified() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        return tls == null ? null : Tls.nameOfPeer(tls);
    }

    @Override
    public void client(long identity, String name) {
        known = true;
        client = identity;
        clientName = name;
        share.client(name);
    }

    @Override
    public String clientName() {
        return clientName;
    }

    @Override
    public long client() {
        return client;
    }

    @Override
    public ByteBufAllocator allocator() {
        return channel.alloc();
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public CompletableFuture<Void> move(Loop target, FrameHandler next) {
        CompletableFuture<Void> moved = new CompletableFuture<>();
        NettyLoop to = (NettyLoop) target;
        moving = true;
        if (to.inLoop()) {
            arrived(to, next, moved);
            return moved;
        }
        channel.config().setAutoRead(false);
        channel.deregister()
                .addListener(
                        left ->
                                to.eventLoop()
                                        .register(channel)
                                        .addListener(done -> registered(done, to, next, moved)));
        return moved;
    }

    private void registered(
            Future<?> done, NettyLoop to, FrameHandler next, CompletableFuture<Void> moved) {
        if (done.isSuccess()) {
            to.execute(() -> arrived(to, next, moved));
            return;
        }
        // Without a loop the channel tells nobody that it has closed.
        channel.close();
        if (!closed) {
            release();
            handler.onClosed(this, done.cause());
        }
        moved.completeExceptionally(done.cause());
    }

    private void arrived(NettyLoop to, FrameHandler next, CompletableFuture<Void> moved) {
        loop = to;
        handler = next;
        moving = false;
        moved.complete(null);
        goOn();
        watch(assembler.arrived(), false);
    }

    /**
     * Ends the connection if a frame has begun, and for the time of a peer no byte has come.
     *
     * @param before bytes that had arrived when it was last looked
     * @param stood whether nothing went on then either: a loop that was busy has read since
     */
    private void watch(long before, boolean stood) {
        if (closed) {
            return;
        }
        long arrived = assembler.arrived();
        boolean stands = assembler.isUnfinished() && arrived == before && !paused;
        if (stands && stood) {
            end(ErrorCode.DISCONNECTED, "a message has begun, and no more of it comes");
            return;
        }
        long nanos = TimeUnit.MILLISECONDS.toNanos(limits.peerTimeoutMillis()) / 2;
        endWatch = loop.schedule(() -> watch(arrived, stands), nanos);
    }

    /** Ends the connection, so that others have the memory of its unfinished frames; any thread. */
    private void giveWay() {
        try {
            channel.eventLoop()
                    .execute(
                            () ->
                                    end(
                                            ErrorCode.THROTTLED,
                                            "others need what its unfinished messages have of"
                                                    + " assembly-bytes"));
        } catch (RejectedExecutionException e) {
            LOG.debug("The loop of {} has ended", peer(), e); // and so its connections
        }
    }

    private void end(ErrorCode code, String why) {
        if (!closed) {
            failure = new PsException(code, why);
            LOG.info("Connection of {} ended: {}", peer(), why);
            channel.close();
        }
    }

    @Override
    public String peer() {
        return String.valueOf(channel.remoteAddress());
    }

    @Override
    public void limitFrames(int maxBytes) {
        assembler.limitFrames(maxBytes);
    }

    @Override
    public void limitUnsent(long maxBytes) {
        maxUnsent = maxBytes;
    }

    @Override
    public long hold(long bytes) {
        held += bytes;
        return held;
    }

    @Override
    public void close() {
        channel.close();
    }
}
