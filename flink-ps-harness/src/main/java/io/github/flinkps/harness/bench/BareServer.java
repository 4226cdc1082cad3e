package io.github.flinkps.harness.bench;

import io.github.flinkps.security.Tls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The far end of the bare transfer: counts what comes and answers with as much as is asked. */
final class BareServer implements AutoCloseable {
    private final EventLoopGroup group;
    private final int port;

    /**
     * @param encryption of connections, or null
     */
    BareServer(int threads, Tls encryption) {
        group = BareFrames.group("flink-ps-bare", threads);
        Channel bound =
                new ServerBootstrap()
                        .group(group)
                        .channel(BareFrames.serverChannel())
                        .childOption(BareFrames.NO_DELAY, true)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        BareFrames.encrypt(channel, encryption, null);
                                        channel.pipeline().addLast(new Answerer());
                                    }
                                })
                        .bind(ChildProcess.HOST, 0)
                        .syncUninterruptibly()
                        .channel();
        port = ((InetSocketAddress) bound.localAddress()).getPort();
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    /** One connection. */
    private static final class Answerer extends ChannelInboundHandlerAdapter {
        private final ByteBuf header = Unpooled.buffer(BareFrames.HEADER_BYTES);
        private ByteBuf payload;
        private int left;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf data = (ByteBuf) message;
            while (data.isReadable()) {
                if (left == 0) {
                    int missing = BareFrames.HEADER_BYTES - header.readableBytes();
                    header.writeBytes(data, Math.min(missing, data.readableBytes()));
                    if (header.readableBytes() < BareFrames.HEADER_BYTES) {
                        break;
                    }
                    left = header.getInt(0) - BareFrames.HEADER_BYTES;
                } else {
                    int bytes = Math.min(left, data.readableBytes());
                    data.skipBytes(bytes);
                    left -= bytes;
                }
                if (left == 0) {
                    payload = BareFrames.payload(payload, header.getInt(12));
                    ctx.write(payload.retainedSlice(header.getInt(8), header.getInt(4)));
                    header.clear();
                }
            }
            data.release();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (payload != null) {
                payload.release();
                payload = null;
            }
        }
    }
}
