package io.github.flinkps.simulation;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.server.ServerNode;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.Loop;
import io.github.flinkps.transport.Transport;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Connections between simulated loops: in order, with random delays; they fail to be made, are cut
 * with frames under way, and go silent. Frames are copied on the way, as by a socket, into memory
 * that is counted.
 */
final class SimulatedNetwork {
    private final VirtualTime time;
    private final Random random;
    private final long mostDelay;
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
    private final ByteBufAllocator ofServers =
            new AbstractByteBufAllocator(true) {
                @Override
                protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                    throw new UnsupportedOperationException("frames are in direct memory");
                }

                @Override
                protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
                    if (full.getAsBoolean()) {
                        throw new OutOfMemoryError("no memory for " + initialCapacity + " bytes");
                    }
                    return allocator.directBuffer(initialCapacity, maxCapacity);
                }

                @Override
                public boolean isDirectBufferPooled() {
                    return false;
                }
            };
    private final Map<String, Server> servers = new HashMap<>();
    private final List<End> open = new ArrayList<>();
    private boolean refusing;
    private BooleanSupplier full = () -> false;
    private final List<End> ofServer = new ArrayList<>();
    private String twice;
    private List<byte[]> recording;

    private static final class Server {
        private final ServerNode node;
        private final VirtualTime.SimulatedLoop control;
        private boolean silent;

        Server(ServerNode node, VirtualTime.SimulatedLoop control) {
            this.node = node;
            this.control = control;
        }
    }

    SimulatedNetwork(VirtualTime time, Random random, long mostDelay) {
        this.time = time;
        this.random = random;
        this.mostDelay = mostDelay;
    }

    void addServer(String name, ServerNode node, VirtualTime.SimulatedLoop control) {
        servers.put(name, new Server(node, control));
    }

    /** Refuses some attempts to connect from now on. */
    void refuseSometimes() {
        refusing = true;
    }

    /** Sets what is asked from now on whether a server has no memory for a frame. */
    void serversFullIf(BooleanSupplier isFull) {
        full = isFull;
    }

    /** Keeps a copy of each frame that a client sends from now on. */
    void record(List<byte[]> frames) {
        recording = frames;
    }

    /** A server's frames, either way, vanish from now on; its connections stay open. */
    void silence(String name) {
        servers.get(name).silent = true;
    }

    /** Bytes of frames that nobody has released. */
    long bytesHeld() {
        return allocator.metric().usedDirectMemory();
    }

    /** A request that a server has answered more than once, or null. */
    String answeredTwice() {
        return twice;
    }

    /** Requests that servers have taken and not answered, of connections that are open. */
    List<Long> unanswered() {
        return ofServer.stream()
                .filter(end -> !end.closed && !end.closing)
                .flatMap(end -> end.unanswered.keySet().stream())
                .toList();
    }

    /** Cuts some connection, if there is one. */
    void cutOne() {
        open.removeIf(end -> end.closed);
        if (!open.isEmpty()) {
            open.get(random.nextInt(open.size())).cut();
        }
    }

    Transport transport(String client) {
        VirtualTime.SimulatedLoop loop = time.loop(client);
        return new Transport() {
            @Override
            public CompletableFuture<Connection> connect(
                    String address, FrameHandler handler, long timeoutNanos) {
                return SimulatedNetwork.this.connect(loop, address, handler);
            }

            @Override
            public Loop loop() {
                return loop;
            }

            @Override
            public void close() {
                // The client has closed its connections itself.
            }
        };
    }

    private CompletableFuture<Connection> connect(
            VirtualTime.SimulatedLoop loop, String address, FrameHandler handler) {
        CompletableFuture<Connection> result = new CompletableFuture<>();
        Server server = servers.get(address);
        if (refusing && random.nextInt(10) == 0) {
            PsException refused = new PsException(ErrorCode.DISCONNECTED, "refused");
            if (random.nextBoolean()) {
                return CompletableFuture.failedFuture(refused);
            }
            time.at(
                    time.now() + time.delay(mostDelay),
                    () -> loop.run(() -> result.completeExceptionally(refused)));
            return result;
        }
        End near = new End(server, allocator, loop, handler);
        End far = new End(server, ofServers, server.control, null);
        near.other = far;
        far.other = near;
        ofServer.add(far);
        long arrival = time.now() + time.delay(mostDelay);
        time.at(arrival, () -> server.control.run(() -> far.handler = server.node.accept(far)));
        time.at(
                arrival + time.delay(mostDelay),
                () -> {
                    open.add(near);
                    loop.run(() -> result.complete(near));
                });
        return result;
    }

    private final class End implements Connection {
        private final Server server;
        private final ByteBufAllocator own;

        /** The number of times that each request has come. */
        private final Map<Long, Integer> unanswered = new HashMap<>();

        private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
        private VirtualTime.SimulatedLoop loop;
        private FrameHandler handler;
        private End other;
        private boolean closed;
        private boolean closing;
        private boolean moving;
        private long client;
        private String clientName;
        private long reserved;
        private long lastArrival;
        private long deadAfter = Long.MAX_VALUE;

        End(
                Server server,
                ByteBufAllocator own,
                VirtualTime.SimulatedLoop loop,
                FrameHandler handler) {
            this.server = server;
            this.own = own;
            this.loop = loop;
            this.handler = handler;
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
            try {
                if (closed || server.silent) {
                    return;
                }
                if (recording != null && !FrameHeader.isResponse(frame)) {
                    recording.add(ByteBufUtil.getBytes(frame));
                }
                if (own == ofServers) {
                    answered(FrameHeader.correlation(frame));
                }
                ByteBuf copy = allocator.directBuffer(frame.readableBytes());
                copy.writeBytes(frame, frame.readerIndex(), frame.readableBytes());
                other.arrive(copy);
            } finally {
                frame.release();
            }
        }

        private void deliver(ByteBuf frame) {
            if (own == ofServers) {
                unanswered.merge(FrameHeader.correlation(frame), 1, Integer::sum);
            }
            handler.onFrame(this, frame);
        }

        private void answered(long correlation) {
            if (!unanswered.containsKey(correlation)) {
                twice = "request " + correlation;
            }
            unanswered.computeIfPresent(correlation, (key, n) -> n == 1 ? null : n - 1);
        }

        private long nextArrival() {
            lastArrival = Math.max(lastArrival + 1, time.now() + time.delay(mostDelay));
            return lastArrival;
        }

        private void arrive(ByteBuf frame) {
            time.at(
                    nextArrival(),
                    () -> {
                        if (closed || time.now() > deadAfter || server.silent) {
                            frame.release();
                        } else if (moving) {
                            waiting.add(frame);
                        } else {
                            loop.run(() -> deliver(frame));
                        }
                    });
        }

        @Override
        public CompletableFuture<Void> move(Loop target, FrameHandler next) {
            CompletableFuture<Void> moved = new CompletableFuture<>();
            moving = true;
            target.execute(
                    () -> {
                        loop = (VirtualTime.SimulatedLoop) target;
                        handler = next;
                        moving = false;
                        moved.complete(null);
                        while (!waiting.isEmpty()) {
                            deliver(waiting.poll());
                        }
                    });
            return moved;
        }

        /** Both directions break at some moment soon; each end notices at another. */
        void cut() {
            for (End end : new End[] {this, other}) {
                end.deadAfter = time.now() + time.delay(mostDelay);
                long notice = random.nextInt(10) == 0 ? 3_000_000_000L : 100 * mostDelay;
                time.at(
                        end.deadAfter + time.delay(notice),
                        () -> end.closeNow(new IOException("cut")));
            }
        }

        private void closeNow(IOException cause) {
            if (!closed) {
                closed = true;
                waiting.forEach(ByteBuf::release);
                waiting.clear();
                if (handler != null) {
                    loop.run(() -> handler.onClosed(this, cause));
                }
            }
        }

        @Override
        public void close() {
            closing = true;
            time.at(time.now() + 1, () -> closeNow(null));
            time.at(other.nextArrival(), () -> other.closeNow(null));
        }

        @Override
        public ByteBufAllocator allocator() {
            return own;
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public String peer() {
            return "simulated peer";
        }

        @Override
        public boolean hasRoomFor(long bytes) {
            return !refusing || random.nextInt(20) > 0;
        }

        @Override
        public void limitUnsent(long maxBytes) {}

        @Override
        public long reserve(long bytes) {
            reserved += bytes;
            return reserved;
        }

        @Override
        public void limitFrames(int maxBytes, String limit) {
            // Frames of the simulation are small.
        }
    }
}
