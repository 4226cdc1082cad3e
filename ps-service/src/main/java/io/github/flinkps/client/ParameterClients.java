package io.github.flinkps.client;

import io.github.flinkps.common.Endpoint;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.ConnectionLimits;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.HeapFailure;
import io.github.flinkps.transport.LocalTransport;
import io.github.flinkps.transport.Loop;
import io.github.flinkps.transport.NettyTransport;
import io.github.flinkps.transport.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes parameter clients. */
public final class ParameterClients {
    /** Prefix of the address of a server of this process, before its local name. */
    public static final String LOCAL = "local:";

    private ParameterClients() {}

    /**
     * Returns a client of the given servers; nothing is connected before it is needed.
     *
     * @param addresses in the order that all clients of a model must share: {@code host:port}, or
     *     {@code local:NAME} for a server in this process
     * @throws IllegalArgumentException for an address of another form, or naming the option of
     *     security whose file is wrong
     */
    public static ParameterClient create(List<String> addresses, ClientConfig config) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("a client needs at least one server address");
        }
        for (String address : addresses) {
            if (!address.startsWith(LOCAL)) {
                Endpoint.parse(address);
            }
        }
        Transport transport = new RoutingTransport(config);
        ParameterClient client = null;
        try {
            client = create(addresses, config, transport);
            return client;
        } finally {
            if (client == null) { // as when there is no such file of a token
                transport.close();
            }
        }
    }

    /** Creates a client over the caller's transport, which the client closes. */
    public static ParameterClient create(
            List<String> addresses, ClientConfig config, Transport transport) {
        return new ShardedParameterClient(transport, addresses, config);
    }

    /** Sockets, but for servers of this process. */
    private static final class RoutingTransport implements Transport {
        private final NettyTransport sockets;
        private final Loop direct;

        RoutingTransport(ClientConfig config) {
            this.sockets =
                    new NettyTransport(
                            "flink-ps-client",
                            1,
                            config.maxFrameBytes(),
                            config.security().encryption(),
                            ConnectionLimits.ofClient(config.peerTimeout()),
                            new HeapFailure(0));
            this.direct = new DirectLoop(sockets.loop());
        }

        @Override
        public CompletableFuture<Connection> connect(
                String address, FrameHandler handler, long timeoutNanos) {
            return address.startsWith(LOCAL)
                    ? LocalTransport.connect(address.substring(LOCAL.length()), direct, handler)
                    : sockets.connect(address, handler, timeoutNanos);
        }

        @Override
        public Loop loop() {
            return sockets.loop();
        }

        @Override
        public void close() {
            sockets.close();
        }
    }

    /**
     * Answers from within the process are taken by the owner thread that gives them: no hand-off.
     */
    private record DirectLoop(Loop timers) implements Loop {
        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }

        @Override
        public Runnable schedule(Runnable command, long delayNanos) {
            return timers.schedule(command, delayNanos);
        }

        @Override
        public long nanoTime() {
            return timers.nanoTime();
        }
    }
}
