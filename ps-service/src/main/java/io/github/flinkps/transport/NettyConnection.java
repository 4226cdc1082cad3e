package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ChunkHeader;
import io.github.flinkps.security.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
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

    private static final int FLUSH_BYTES = 64 * 1024;

    /**
     * The most records of TLS in a row that may hold no application data. An honest peer sends
     * fewer; one that sends more only costs time, and its connection is closed.
     */
    private static final int MOST_SILENT_RECORDS = 64;

    /** Fewer bytes than these always find room where no more is unsent, and are not counted. */
    private static final int SMALL_BYTES = 64 * 1024;

    private static final String NO_ROOM_TO_ASSEMBLE =
            "others need what its unfinished messages have of assembly-bytes";
    private static final String NO_ROOM_FOR_UNSENT =
            "answers that are not taken have more than unsent-bytes";

    private static final String MOST_OF_STRANGERS = "is taken before HELLO,";

    private static final int WHOLE_FRAME_BYTES =
            ChunkHeader.CHUNK_BYTES + ChunkHeader.CHUNK_BYTES / 2;

    private final Channel channel;
    private final ConnectionLimits limits;
    private final AssemblyRoom.Share share;
    private final UnsentRoom.Share unsentShare;
    private final KeptRoom.Share kept;
    private final FrameAssembler assembler;
    private final int partBytes;
    private final LargeFrames large;
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private volatile NettyLoop loop;
    private FrameHandler handler;
    private boolean reading;
    private boolean moving;
    private boolean closed;
    private boolean paused;
    private boolean stopped;

    /** True once the connection is given up, though its channel may not be closed yet. */
    private boolean ended;

    /** True once the other end has said who it is; a server is known by whom we call. */
    private boolean known;

    /** The records of TLS since the last one that held application data. */
    private int silentRecords;

    /**
     * The most bytes of a record of TLS that were kept at a time while it was not whole, before the
     * client had proved who it is. The buffer for them does not shrink, and stays counted.
     */
    private int strangersPart;

    /** The reads that ended a record of TLS while reading was paused. */
    private int unaskedReads;

    private int unflushed;

    /** Bytes that were given to be sent, and how many of them were taken when some last waited. */
    private long given;

    private long taken;

    /**
     * The memory of what is not sent as {@link UnsentRoom} knows it, but for the last few bytes.
     */
    private long counted;

    private long maxUnsent = Long.MAX_VALUE;
    private long reserved;
    private long client;
    private String clientName;
    private Throwable failure;

    /** Ends the watch over frames that do not go on; null at a client, and before the hello. */
    private Runnable endWatch;

    /**
     * A connection.
     *
     * @param partBytes memory of a part of a record of TLS; 0 for a connection in clear. With TLS
     *     what the socket reads is not what frames hold: a turn ends with each read
     * @param known whether it is at a client, which has called the other end
     */
    NettyConnection(
            Channel channel,
            NettyLoop loop,
            int maxFrameBytes,
            ConnectionLimits limits,
            int partBytes,
            boolean known) {
        this.channel = channel;
        this.loop = loop;
        this.limits = limits;
        this.partBytes = partBytes;
        this.known = known;
        this.share =
                limits.assembly()
                        .share(
                                channel.remoteAddress() instanceof InetSocketAddress from
                                        ? from.getAddress()
                                        : channel.id(),
                                () -> endSoon(NO_ROOM_TO_ASSEMBLE));
        if (known) {
            share.client(null); // a client has called the other end, which is no stranger
        }
        this.large = new LargeFrames(channel, this::count);
        this.unsentShare = limits.unsent().share(() -> endSoon(NO_ROOM_FOR_UNSENT));
        this.kept = limits.kept().share();
        this.assembler = new FrameAssembler(channel.alloc(), maxFrameBytes, share, this::deliver);
        if (!known) {
            assembler.limitFrames(maxFrameBytes, MOST_OF_STRANGERS);
        }
        channel.config()
                .setRecvByteBufAllocator(
                        partBytes > 0
                                ? new RecordReceiveAllocator(() -> this.known)
                                : new FrameReceiveAllocator(assembler));
    }

    /** Sets the first handler, before the channel is active. */
    void handler(FrameHandler first) {
        this.handler = first;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (ended) {
            ((ByteBuf) message).release();
            return;
        }
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
        if (!ended) {
            strangersPart = known ? 0 : Math.max(strangersPart, part);
            int buffer =
                    known ? partBytes : RecordReceiveAllocator.STRANGER_BYTES + 2 * strangersPart;
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
        if (ended) {
            return;
        }
        assembler.count();
        pauseIfBehind();
        if (silentRecords > MOST_SILENT_RECORDS || unaskedReads > MOST_SILENT_RECORDS) {
            end(ErrorCode.MALFORMED, "records of TLS come that hold nothing");
        }
    }

    private void deliver(ByteBuf frame) {
        limits.traffic().received(frame);
        if (ended || stopped) {
            frame.release();
        } else if (moving || paused) {
            waiting.add(frame);
            assembler.keepWaiting(frame);
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
        ended = true;
        count();
        if (endWatch != null) {
            endWatch.run();
        }
        releaseArrived();
        large.release();
        kept.close();
    }

    private void releaseArrived() {
        assembler.close();
        waiting.forEach(ByteBuf::release);
        waiting.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        loop.report(cause);
        if (ended) {
            return; // what was not sent fails, and is not why
        }
        failure = TlsFailure.afterwards(cause);
        ended = true; // bytes of a frame may be gone, and TLS reads on until it has closed
        if (failure instanceof PsException known) {
            logEnd(known);
        }
        if (cause instanceof PsException) {
            cutOff();
        } else {
            ctx.close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        sendChunks();
        count();
        if (paused && unsent() <= maxUnsent / 2) {
            channel.eventLoop().execute(this::resume); // not within a handler that is sending
        }
    }

    /** Tells what memory is not sent, if it is much more or less than was told last. */
    private void count() {
        long now = closed ? 0 : held();
        if (Math.abs(now - counted) >= SMALL_BYTES || (now == 0 && counted != 0)) {
            counted = now;
            unsentShare.set(now);
        }
    }

    @Override
    public boolean hasRoomFor(long bytes) {
        count();
        return held() + bytes < SMALL_BYTES || unsentShare.has(bytes);
    }

    private long pending() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes();
    }

    /** Returns the bytes that have not been sent. */
    private long unsent() {
        return large.unwritten() + pending();
    }

    /** Returns the memory of what has not been sent: of a large frame all, while a part is here. */
    private long held() {
        // What TLS is about to encrypt is written, and not pending yet.
        return large.held() + Math.max(0, pending() - large.written());
    }

    /** Stops reading when the other end asks for more than it takes. */
    private void pauseIfBehind() {
        count();
        if (!paused && unsent() > maxUnsent) {
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
        boolean some = false;
        while (!paused && !ended && !waiting.isEmpty()) {
            ByteBuf next = waiting.poll();
            assembler.handOn(next);
            some = true;
            handler.onFrame(this, next);
        }
        if (some) {
            assembler.count();
        }
        if (!paused && !stopped && !ended) {
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
        given += frame.readableBytes();
        limits.traffic().sent(frame);
        if (frame.readableBytes() > WHOLE_FRAME_BYTES) {
            large.add(frame);
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
            while (channel.isWritable() && !closed && large.hasNext()) {
                large.writeNext();
                flush();
            }
        } catch (RuntimeException | Error e) {
            failure = e;
            channel.close();
        }
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
        unsentShare.client(name);
        kept.client(name);
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
        if (ended) {
            return;
        }
        count();
        long arrived = assembler.arrived();
        boolean stands = assembler.isUnfinished() && arrived == before && !paused;
        if (stands && stood) {
            end(ErrorCode.DISCONNECTED, "a message has begun, and no more of it comes");
            return;
        }
        long nanos = TimeUnit.MILLISECONDS.toNanos(limits.peerTimeoutMillis()) / 2;
        endWatch = loop.schedule(() -> watch(arrived, stands), nanos);
    }

    /** Ends the connection, so that others have the memory that it takes; any thread. */
    private void endSoon(String why) {
        try {
            channel.eventLoop().execute(() -> end(ErrorCode.THROTTLED, why));
        } catch (RejectedExecutionException e) {
            LOG.debug("The loop of {} has ended", peer(), e); // and so its connections
        }
    }

    private void end(ErrorCode code, String why) {
        if (!ended) {
            PsException known = new PsException(code, why);
            failure = known;
            logEnd(known);
            cutOff();
        }
    }

    /** Tells an operator why a connection ends: its client is told nothing, or is a stranger. */
    private void logEnd(PsException why) {
        if (!limits.ends().take()) {
            return;
        }
        if (why.code() == ErrorCode.UNAUTHENTICATED) {
            LOG.info("Connection of {} ended: {}", peer(), why.getMessage());
        } else {
            LOG.warn("Connection of {} ended: {}", peer(), why.getMessage());
        }
    }

    /**
     * Gives back the memory of frames that arrived and closes the channel at once: TLS would wait
     * for its farewell to be taken, and read on.
     */
    private void cutOff() {
        ended = true;
        channel.eventLoop().execute(this::closeNow); // not within what reads
    }

    private void closeNow() {
        channel.config().setAutoRead(false);
        releaseArrived();
        ChannelHandlerContext beneath = channel.pipeline().context(TlsRecords.class);
        if (beneath == null) {
            channel.close();
        } else {
            beneath.close();
        }
    }

    @Override
    public String peer() {
        return String.valueOf(channel.remoteAddress());
    }

    @Override
    public void limitFrames(int maxBytes, String limit) {
        assembler.limitFrames(maxBytes, limit);
    }

    @Override
    public void limitUnsent(long maxBytes) {
        maxUnsent = maxBytes;
    }

    @Override
    public long reserve(long bytes) {
        reserved += bytes;
        return kept.add(bytes) ? reserved : NO_ROOM;
    }

    /**
     * Counts bytes that have waited: what the kernel takes at once says nothing of the other end.
     */
    @Override
    public long progress() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        long unsent = unsent();
        if (out != null && unsent > 0) {
            // TLS adds to what waits
            taken = Math.max(taken, given - unsent + out.currentProgress());
        }
        return assembler.arrived() + taken;
    }

    @Override
    public void close() {
        channel.close();
    }
}
