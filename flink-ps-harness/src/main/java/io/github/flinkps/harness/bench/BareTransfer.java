package io.github.flinkps.harness.bench;

import io.github.flinkps.common.Endpoint;
import io.github.flinkps.security.Tls;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The bare transfer: frames of the sizes of the service's, with nothing encoded, decoded or
 * applied, and no thread but the event loop's. Sent from memory as large as the operation, as the
 * service's are. With keys it is encrypted, by the same library as the service.
 */
final class BareTransfer implements AutoCloseable {
    private final EventLoopGroup group;
    private final List<Lane> lanes = new ArrayList<>();

    /**
     * The frames of an operation.
     *
     * @param requests frames each way
     * @param up bytes of a request
     * @param down bytes of an answer
     */
    record Shape(int requests, int up, int down) {
        static Shape of(Slice slice, long sent, long received, long requests) {
            long operations = Math.max(1, slice.operations());
            long frames = Math.max(1, requests);
            return new Shape(
                    (int) Math.max(1, Math.round((double) requests / operations)),
                    (int) Math.max(BareFrames.HEADER_BYTES, sent / frames),
                    (int) Math.max(8, received / frames));
        }
    }

    /**
     * Lanes of one thread each, with a connection to every port.
     *
     * @param encryption of connections, or null
     */
    BareTransfer(int clients, List<Integer> ports, Tls encryption) {
        group = BareFrames.group("flink-ps-bare", clients);
        for (int i = 0; i < clients; i++) {
            lanes.add(new Lane(group.next(), ports, encryption));
        }
    }

    /** Keeps operations under way for a time. */
    Slice run(Shape shape, int inFlight, long nanos) {
        long start = System.nanoTime();
        List<CompletableFuture<Slice>> running = new ArrayList<>();
        for (Lane lane : lanes) {
            running.add(lane.run(shape, inFlight, start + nanos));
        }
        Latencies latencies = new Latencies();
        long operations = 0;
        long longest = 0;
        for (CompletableFuture<Slice> slice : running) {
            Slice reached = LoadDriver.await(slice);
            latencies.add(reached.latencies());
            operations += reached.operations();
            longest = Math.max(longest, reached.nanos());
        }
        return new Slice(operations, longest, latencies);
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    /** An operation under way. */
    private static final class Operation {
        private final long start = System.nanoTime();
        private int left;

        Operation(int requests) {
            this.left = requests;
        }
    }

    /** One client; all its fields belong to its loop. */
    private static final class Lane {
        private final EventLoop loop;
        private final List<Answers> connections = new ArrayList<>();
        private ByteBuf payload;
        private Shape shape;
        private Latencies latencies;
        private CompletableFuture<Slice> result;
        private long began;
        private long end;
        private long operations;
        private int underWay;
        private int turn;

        Lane(EventLoop loop, List<Integer> ports, Tls encryption) {
            this.loop = loop;
            for (int port : ports) {
                Answers answers = new Answers(this);
                Endpoint server = new Endpoint(ChildProcess.HOST, port);
                new Bootstrap()
                        .group(loop)
                        .channel(BareFrames.channel())
                        .option(BareFrames.NO_DELAY, true)
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        BareFrames.encrypt(channel, encryption, server);
                                        channel.pipeline().addLast(answers);
                                    }
                                })
                        .connect(server.host(), port)
                        .syncUninterruptibly();
                connections.add(answers);
            }
        }

        CompletableFuture<Slice> run(Shape wanted, int inFlight, long until) {
            CompletableFuture<Slice> slice = new CompletableFuture<>();
            loop.execute(
                    () -> {
                        payload = BareFrames.payload(payload, wanted.requests * wanted.up);
                        shape = wanted;
                        latencies = new Latencies();
                        result = slice;
                        operations = 0;
                        began = System.nanoTime();
                        end = until;
                        underWay = inFlight;
                        for (int i = 0; i < inFlight; i++) {
                            begin();
                        }
                        connections.forEach(Answers::flush);
                    });
            return slice;
        }

        private void begin() {
            Operation operation = new Operation(shape.requests);
            for (int i = 0; i < shape.requests; i++) {
                Answers connection = connections.get(turn++ % connections.size());
                connection.waiting.add(operation);
                ByteBuf head = connection.header();
                head.writeInt(shape.up)
                        .writeInt(shape.down)
                        .writeInt(i * shape.down)
                        .writeInt(shape.requests * shape.down);
                connection.context.write(head);
                int body = shape.up - BareFrames.HEADER_BYTES;
                if (body > 0) {
                    connection.context.write(payload.retainedSlice(i * shape.up, body));
                }
            }
        }

        private void answered(Operation operation) {
            if (--operation.left > 0) {
                return;
            }
            long now = System.nanoTime();
            latencies.record(now - operation.start);
            operations++;
            if (now < end) {
                begin();
            } else if (--underWay == 0) {
                result.complete(new Slice(operations, now - began, latencies));
            }
        }

        private void failed(Throwable cause) {
            if (result != null) {
                result.completeExceptionally(cause);
            }
            if (payload != null) {
                payload.release();
                payload = null;
            }
        }
    }

    /** One connection's answers. */
    private static final class Answers extends ChannelInboundHandlerAdapter {
        private final Lane lane;
        private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
        private ChannelHandlerContext context;
        private long bytes;

        Answers(Lane lane) {
            this.lane = lane;
        }

        ByteBuf header() {
            return context.alloc().directBuffer(BareFrames.HEADER_BYTES);
        }

        void flush() {
            context.flush();
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            context = ctx;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf data = (ByteBuf) message;
            bytes += data.readableBytes();
            data.release();
            while (!waiting.isEmpty() && bytes >= lane.shape.down) {
                bytes -= lane.shape.down;
                lane.answered(waiting.poll());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            lane.connections.forEach(Answers::flush);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            lane.failed(new IllegalStateException("the bare transfer lost its connection"));
        }
    }
}
