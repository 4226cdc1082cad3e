package io.github.flinkps.cli.operations;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerReport;
import io.github.flinkps.server.ServerSecurity;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Says by HTTP whether a server lives and what it does, on a thread of its own. Every client has
 * seconds and few bytes for its one request. Safe for use by any thread.
 */
public final class OperationsServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 64;
    private static final int MOST_LINE_BYTES = 1024;
    private static final int MOST_BYTES = 8192;
    private static final long CLOSE_SECONDS = 5;

    /** Limits that tests make shorter. */
    record Patience(Duration ofClients, Duration ofLife, Duration ofReadiness) {
        static final Patience USUAL =
                new Patience(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1));
    }

    /**
     * Holds where answers come from.
     *
     * @param report asks all threads of the server
     * @param metrics makes the text for Prometheus, of null if they have not answered
     */
    record Sources(
            Supplier<CompletableFuture<ServerReport>> report,
            Function<ServerReport, byte[]> metrics) {}

    private final EventLoopGroup thread =
            new NioEventLoopGroup(1, new DefaultThreadFactory("flink-ps-http", true));
    private final AtomicInteger connections = new AtomicInteger();
    private final int port;

    OperationsServer(
            HttpListen listen, ServerSecurity security, Sources sources, Patience patience) {
        try {
            HttpClients clients = listen.asks(security) ? new HttpClients(security) : null;
            this.port = listen(listen, clients, sources, patience);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts to tell of a server.
     *
     * @throws PsException IO when the address cannot be bound
     * @throws IllegalArgumentException naming the option to change, if it would be reached from
     *     other machines without encryption and authentication, or a file of keys is wrong
     */
    public static OperationsServer start(
            HttpListen listen, ServerSecurity security, ParameterServer server) {
        return new OperationsServer(
                listen,
                security,
                new Sources(server::report, new ServerMetrics(server)::text),
                Patience.USUAL);
    }

    /**
     * Begins to listen, and returns the port.
     *
     * @param clients null: whoever reaches it is told
     */
    private int listen(HttpListen listen, HttpClients clients, Sources sources, Patience patience) {
        OperationsHandler.Answers answers =
                new OperationsHandler.Answers(sources, patience, thread.next());
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(thread)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept(channel, clients, answers, patience);
                                    }
                                });
        ChannelFuture bound = bootstrap.bind(listen.host(), listen.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new PsException(
                    ErrorCode.IO,
                    "cannot listen on "
                            + listen.host()
                            + ":"
                            + listen.port()
                            + ": "
                            + bound.cause().getMessage()
                            + "; choose another --http-port",
                    bound.cause());
        }
        if (clients != null) {
            thread.next().scheduleWithFixedDelay(clients::look, 1, 1, TimeUnit.SECONDS);
        }
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    private void accept(
            Channel channel,
            HttpClients clients,
            OperationsHandler.Answers answers,
            Patience patience) {
        if (connections.incrementAndGet() > MOST_CONNECTIONS) {
            connections.decrementAndGet();
            channel.close();
            return;
        }
        long millis = patience.ofClients().toMillis();
        channel.pipeline()
                .addLast(
                        new ReadTimeoutHandler(millis, MILLISECONDS),
                        new WriteTimeoutHandler(millis, MILLISECONDS));
        if (clients != null) {
            channel.pipeline().addLast(clients.encryption(channel));
        }
        HttpDecoderConfig limits =
                new HttpDecoderConfig()
                        .setMaxInitialLineLength(MOST_LINE_BYTES)
                        .setMaxHeaderSize(MOST_BYTES);
        channel.pipeline()
                .addLast(
                        new HttpServerCodec(limits),
                        new HttpObjectAggregator(MOST_BYTES, true),
                        new OperationsHandler(clients, answers));
        // Whoever sends a byte now and then is read all the time.
        Future<?> end =
                channel.eventLoop().schedule(() -> channel.close(), 3 * millis, MILLISECONDS);
        channel.closeFuture()
                .addListener(
                        closed -> {
                            end.cancel(false);
                            connections.decrementAndGet();
                        });
    }

    /** Returns the port on which it listens. */
    public int port() {
        return port;
    }

    /** Ends the thread and closes all connections within seconds; idempotent. */
    @Override
    public void close() {
        thread.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
