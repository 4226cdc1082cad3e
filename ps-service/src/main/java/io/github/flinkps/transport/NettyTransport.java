package io.github.flinkps.transport;

import io.github.flinkps.common.Endpoint;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.LogBudget;
import io.github.flinkps.common.PsException;
import io.github.flinkps.security.Tls;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollMode;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets by Netty: native epoll where it loads, NIO elsewhere. Owns its threads: loop 0 accepts
 * and serves control connections and timers, the others are for owners.
 */
public final class NettyTransport implements Transport {
    private static final int HIGH_WATER_BYTES = 2 * 1024 * 1024;
    private static final long UNSENT_IN_KERNEL_BYTES = 1024 * 1024;
    private static final long CLOSE_SECONDS = 5;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long HANDSHAKE_MILLIS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);

    private final boolean epoll;
    private final EventLoopGroup group;
    private final List<NettyLoop> loops = new ArrayList<>();
    private final int maxFrameBytes;
    private final Tls tls;
    private final ConnectionLimits limits;
    private volatile boolean closed;
    private volatile Channel listening;

    private final LogBudget refusals = new LogBudget(1);
    private final LogBudget clientsWithTls = new LogBudget(1);

    /**
     * Returns a transport without TLS, with {@code loops} threads of the given name.
     *
     * @param maxFrameBytes largest frame taken from a peer
     */
    public NettyTransport(String threadName, int loops, int maxFrameBytes) {
        this(
                threadName,
                loops,
                maxFrameBytes,
                null,
                ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT),
                new HeapFailure(0));
    }

    /**
     * Returns a transport whose threads say when they have run out of heap.
     *
     * @param maxFrameBytes largest frame taken from a peer
     * @param tls null for connections in clear
     */
    public NettyTransport(
            String threadName,
            int loops,
            int maxFrameBytes,
            Tls tls,
            ConnectionLimits limits,
            HeapFailure heap) {
        this(threadName, loops, maxFrameBytes, tls, limits, heap, Epoll.isAvailable());
    }

    NettyTransport(
            String threadName,
            int loops,
            int maxFrameBytes,
            Tls tls,
            ConnectionLimits limits,
            HeapFailure heap,
            boolean epoll) {
        this.epoll = epoll;
        ThreadFactory threads = watched(new DefaultThreadFactory(threadName, true), heap);
        this.group =
                epoll
                        ? new EpollEventLoopGroup(loops, threads)
                        : new NioEventLoopGroup(loops, threads);
        for (int i = 0; i < loops; i++) {
            this.loops.add(new NettyLoop(group.next(), heap));
        }
        this.maxFrameBytes = maxFrameBytes;
        this.tls = tls;
        this.limits = limits;
    }

    /**
     * Returns a factory of threads that tell if they end: an event loop catches the error by which
     * it ends, or there is no memory for that either.
     */
    private ThreadFactory watched(ThreadFactory threads, HeapFailure heap) {
        return command ->
                threads.newThread(
                        () -> {
                            try {
                                command.run();
                            } finally {
                                if (!closed) {
                                    heap.loopEnded();
                                }
                            }
                        });
    }

    @Override
    public Loop loop() {
        return loops.get(0);
    }

    /** Returns all loops, the control loop first. */
    public List<Loop> loops() {
        return List.copyOf(loops);
    }

    /** Returns the number of connections that were accepted and have not ended. */
    public int connections() {
        return limits.connections();
    }

    /** Returns the count of what goes over all connections. */
    public ConnectionTraffic traffic() {
        return limits.traffic();
    }

    @Override
    public CompletableFuture<Connection> connect(
            String address, FrameHandler handler, long timeoutNanos) {
        Endpoint to = Endpoint.parse(address);
        CompletableFuture<Connection> result = new CompletableFuture<>();
        NettyLoop loop = loops.get(0);
        long millis = Math.max(1, Math.min(TimeUnit.NANOSECONDS.toMillis(timeoutNanos), 1 << 30));
        Bootstrap bootstrap =
                new Bootstrap()
                        .group(loop.eventLoop())
                        .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) millis)
                        .handler(
                                initializer(
                                        loop, connection -> handler, maxFrameBytes, to, millis));
        options(bootstrap::option);
        HostNames.OF_SYSTEM
                .find(to, millis)
                .whenComplete(
                        (found, unknown) -> {
                            if (unknown != null) {
                                result.completeExceptionally(unreachable(to, unknown));
                                return;
                            }
                            ChannelFuture connecting = bootstrap.connect(found);
                            connecting.addListener(
                                    done -> {
                                        if (done.isSuccess()) {
                                            connected(to, connecting.channel(), result);
                                        } else {
                                            result.completeExceptionally(
                                                    unreachable(to, done.cause()));
                                        }
                                    });
                        });
        return result;
    }

    private static PsException unreachable(Endpoint server, Throwable cause) {
        return new PsException(
                ErrorCode.DISCONNECTED,
                "cannot reach server " + server + ": " + cause.getMessage(),
                cause);
    }

    private void connected(Endpoint to, Channel channel, CompletableFuture<Connection> result) {
        NettyConnection connection = channel.pipeline().get(NettyConnection.class);
        if (tls == null) {
            result.complete(connection);
            return;
        }
        channel.pipeline()
                .get(SslHandler.class)
                .handshakeFuture()
                .addListener(
                        done -> {
                            if (done.isSuccess()) {
                                result.complete(connection);
                            } else {
                                result.completeExceptionally(
                                        TlsFailure.atClient(
                                                to.toString(), tls.isOfTrust(), done.cause()));
                            }
                        });
    }

    private interface Options {
        <T> void set(ChannelOption<T> option, T value);
    }

    /** Sets the socket options of every connection. */
    private void options(Options options) {
        options.set(ChannelOption.TCP_NODELAY, true);
        options.set(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
        options.set(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(HIGH_WATER_BYTES / 2, HIGH_WATER_BYTES));
        options.set(ChannelOption.SO_KEEPALIVE, true);
        if (epoll) {
            // A machine that has vanished sends no word of it, and the kernel by itself asks for
            // hours whether an idle one is there, and sends to a busy one for a quarter of one.
            int millis = limits.peerTimeoutMillis();
            int seconds = Math.max(1, millis / 1000);
            options.set(EpollChannelOption.TCP_USER_TIMEOUT, millis);
            options.set(EpollChannelOption.TCP_KEEPIDLE, Math.max(1, seconds / 2));
            options.set(EpollChannelOption.TCP_KEEPINTVL, Math.max(1, seconds / 4));
            options.set(EpollChannelOption.TCP_KEEPCNT, 2);
            // The rest waits where it is counted and takes turns; what the kernel has is not seen.
            options.set(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_IN_KERNEL_BYTES);
            // A connection may stop reading where there is more, see NettyConnection.
            options.set(EpollChannelOption.EPOLL_MODE, EpollMode.LEVEL_TRIGGERED);
        }
    }

    /**
     * Returns what makes connections of channels.
     *
     * @param server at a client, the one that is reached; at a server null
     */
    private ChannelInitializer<Channel> initializer(
            NettyLoop loop,
            Function<Connection, FrameHandler> acceptor,
            int maxFrameBytes,
            Endpoint server,
            long handshakeMillis) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (server == null && !admitted(channel)) {
                    return;
                }
                NettyConnection connection =
                        new NettyConnection(
                                channel,
                                loop,
                                maxFrameBytes,
                                limits,
                                tls == null ? 0 : tls.partBytes(),
                                server != null);
                connection.handler(acceptor.apply(connection));
                if (tls != null) {
                    channel.pipeline()
                            .addLast(
                                    new TlsRecords(connection),
                                    server == null
                                            ? new TlsDoor(tls, handshakeMillis)
                                            : tls.handler(
                                                    channel.alloc(), server, handshakeMillis));
                } else if (server == null) {
                    channel.pipeline().addLast(new PlainDoor(NettyTransport.this::warnOfTls));
                }
                channel.pipeline().addLast(connection);
            }
        };
    }

    /** Warns of a client that begins TLS here, once a minute at most. */
    private void warnOfTls(Channel channel) {
        if (clientsWithTls.take()) {
            LOG.warn(
                    "The client at {} begins TLS, and this server speaks none: remove tls-trust"
                            + " there, or set tls-certificate and tls-key here",
                    channel.remoteAddress());
        }
    }

    /** Counts an accepted channel until it closes; closes it at once if there are too many. */
    private boolean admitted(Channel channel) {
        if (channel.remoteAddress() == null) { // gone by now
            channel.close();
            return false;
        }
        InetAddress from = ((InetSocketAddress) channel.remoteAddress()).getAddress();
        if (!limits.enter(from)) {
            if (refusals.take()) {
                LOG.warn(
                        "A connection of {} is refused: there are as many as max-connections or"
                                + " max-connections-per-address allows",
                        from);
            }
            channel.close();
            return false;
        }
        channel.closeFuture().addListener(closed -> limits.leave(from));
        return true;
    }

    /**
     * Listens on an address (port 0: any free one) and returns the port.
     *
     * @param acceptor gives the first handler of each new connection, on the control loop
     * @throws PsException IO when the address cannot be bound; the message names it
     */
    public int listen(
            String host, int port, Function<Connection, FrameHandler> acceptor, int helloLimit) {
        NettyLoop loop = loops.get(0);
        Class<? extends ServerChannel> type =
                epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(loop.eventLoop(), loop.eventLoop())
                        .channel(type)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childHandler(
                                initializer(loop, acceptor, helloLimit, null, HANDSHAKE_MILLIS));
        options(bootstrap::childOption);
        ChannelFuture bound = bootstrap.bind(host, port).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new PsException(
                    ErrorCode.IO,
                    "cannot listen on "
                            + host
                            + ":"
                            + port
                            + ": "
                            + bound.cause().getMessage()
                            + "; choose another --port",
                    bound.cause());
        }
        listening = bound.channel();
        if (tls != null) {
            lookAtKeys(loop);
        }
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    /** Lets changed files count for the next connection, however long it takes to come. */
    private void lookAtKeys(NettyLoop loop) {
        if (!loop.eventLoop().isShuttingDown()) {
            try {
                tls.look();
            } finally {
                loop.schedule(() -> lookAtKeys(loop), LOOK_NANOS);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        if (listening != null) {
            listening.close();
        }
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
