package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Connections between ends of one process without a socket: a frame's buffer is handed to the other
 * end, which releases it. Order, errors and closing are those of a socket.
 */
public final class LocalTransport {
    /** The directory of the servers of this process, by the name under which they serve. */
    private static final Map<String, Server> SERVERS = new ConcurrentHashMap<>();

    private record Server(Loop control, Function<Connection, FrameHandler> acceptor) {}

    private LocalTransport() {}

    /** Makes a server reachable under a name of its own until the returned action runs. */
    public static Runnable serve(
            String name, Loop control, Function<Connection, FrameHandler> acceptor) {
        Server server = new Server(control, acceptor);
        if (SERVERS.putIfAbsent(name, server) != null) {
            throw new IllegalStateException("server " + name + " is already there");
        }
        return () -> SERVERS.remove(name, server);
    }

    /** Returns whether a server of this name is in this process. */
    public static boolean serves(String name) {
        return SERVERS.containsKey(name);
    }

    /**
     * Connects to a server of this process.
     *
     * <p>Fails with CLOSED if there is none of this name: it was there when its name was known, and
     * comes back under none.
     *
     * @param clientLoop where the client's handler is called
     */
    public static CompletableFuture<Connection> connect(
            String name, Loop clientLoop, FrameHandler handler) {
        Server server = SERVERS.get(name);
        if (server == null) {
            return CompletableFuture.failedFuture(
                    new PsException(ErrorCode.CLOSED, "no server " + name + " in this process"));
        }
        End client = new End("server " + name, clientLoop, handler);
        End accepted = new End("client in this process", server.control, null);
        client.other = accepted;
        accepted.other = client;
        CompletableFuture<Connection> connected = new CompletableFuture<>();
        try {
            server.control.execute(
                    () -> {
                        accepted.handler = server.acceptor.apply(accepted);
                        connected.complete(client);
                    });
        } catch (RejectedExecutionException e) {
            connected.completeExceptionally(
                    new PsException(ErrorCode.CLOSED, "server " + name + " is closing", e));
        }
        return connected;
    }

    /** One end; its fields but {@code loop} belong to its loop. */
    private static final class End implements Connection {
        private final String peer;
        private End other;
        private volatile Loop loop;
        private volatile FrameHandler handler;
        private volatile boolean closed;
        private long reserved;
        private long client;
        private String clientName;
        private final AtomicBoolean told = new AtomicBoolean();

        End(String peer, Loop loop, FrameHandler handler) {
            this.peer = peer;
            this.loop = loop;
            this.handler = handler;
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public void client(long identity, String name) {
            client = identity;
            clientName = name;
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
        public void send(ByteBuf frame) {
            other.receive(frame);
        }

        private void receive(ByteBuf frame) {
            Loop at = loop;
            try {
                at.execute(() -> deliver(at, frame));
            } catch (RejectedExecutionException e) {
                frame.release();
                close();
            }
        }

        private void deliver(Loop at, ByteBuf frame) {
            if (closed) {
                frame.release();
            } else if (at != loop) {
                receive(frame);
            } else {
                handler.onFrame(this, frame);
            }
        }

        @Override
        public CompletableFuture<Void> move(Loop target, FrameHandler next) {
            CompletableFuture<Void> moved = new CompletableFuture<>();
            target.execute(
                    () -> {
                        loop = target;
                        handler = next;
                        moved.complete(null);
                    });
            return moved;
        }

        @Override
        public void close() {
            closeThis();
            other.closeThis();
        }

        private void closeThis() {
            closed = true;
            try {
                loop.schedule(this::tell, 0); // never in the caller's stack, who may hold locks
            } catch (RejectedExecutionException e) {
                tell();
            }
        }

        private void tell() {
            FrameHandler present = handler;
            if (present != null && told.compareAndSet(false, true)) {
                present.onClosed(this, null);
            }
        }

        @Override
        public ByteBufAllocator allocator() {
            return PooledByteBufAllocator.DEFAULT;
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public String peer() {
            return peer;
        }

        @Override
        public void limitFrames(int maxBytes, String limit) {
            // What is handed over has been allocated already.
        }

        @Override
        public boolean hasRoomFor(long bytes) {
            return true;
        }

        @Override
        public void limitUnsent(long maxBytes) {
            // There is nothing unsent.
        }

        @Override
        public long reserve(long bytes) {
            reserved += bytes;
            return reserved;
        }
    }
}
