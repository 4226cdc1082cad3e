package io.github.flinkps.server;

import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.transport.LocalTransport;
import io.github.flinkps.transport.Loop;
import io.github.flinkps.transport.NettyTransport;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running server: its threads, its socket, and its name within this process, by which it is
 * reached without a socket. Safe for use by any thread.
 */
public final class ParameterServer implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final ServerConfig config;
    private final NettyTransport transport;
    private final ServerNode node;
    private final int port;
    private final Runnable leaveDirectory;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ParameterServer(ServerConfig config) {
        this.config = config;
        this.transport =
                new NettyTransport("flink-ps-server", 1 + config.owners(), config.maxFrameBytes());
        List<Loop> loops = transport.loops();
        long id = ThreadLocalRandom.current().nextLong();
        this.node = new ServerNode(config, id, loops.get(0), loops.subList(1, loops.size()));
        try {
            this.port =
                    transport.listen(
                            config.host(),
                            config.port(),
                            node::accept,
                            FrameHeader.HELLO_FRAME_LIMIT);
        } catch (RuntimeException e) {
            transport.close();
            throw e;
        }
        this.leaveDirectory = LocalTransport.serve(localName(), loops.get(0), node::accept);
    }

    /**
     * Starts a server.
     *
     * @throws io.github.flinkps.common.PsException IO when its address cannot be bound
     */
    public static ParameterServer start(ServerConfig config) {
        return new ParameterServer(config);
    }

    public int port() {
        return port;
    }

    /** {@code host:port}. */
    public String address() {
        return config.host() + ":" + port;
    }

    /** The name under which {@link LocalTransport} knows it. */
    public String localName() {
        return "flink-ps-" + Long.toHexString(node.id());
    }

    /** Drops all state and closes socket and threads within seconds; idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        leaveDirectory.run();
        node.close();
        CountDownLatch drained = new CountDownLatch(transport.loops().size());
        transport.loops().forEach(loop -> loop.execute(drained::countDown));
        try {
            drained.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        transport.close();
    }
}
