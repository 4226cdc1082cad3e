package io.github.flinkps.harness.bench;

import io.github.flinkps.common.Endpoint;
import io.github.flinkps.security.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The format that both ends of the bare transfer share. A request is four ints, then anything; an
 * answer is anything. The ints are the length of the request, the length of the answer, where in
 * the operation's bytes the answer begins, and the length of all the operation's answers.
 */
final class BareFrames {
    static final int HEADER_BYTES = 16;

    private static final boolean EPOLL = Epoll.isAvailable();

    private BareFrames() {}

    /** Returns the same transport as that of the service. */
    static EventLoopGroup group(String name, int threads) {
        DefaultThreadFactory factory = new DefaultThreadFactory(name, true);
        return EPOLL
                ? new EpollEventLoopGroup(threads, factory)
                : new NioEventLoopGroup(threads, factory);
    }

    static Class<? extends Channel> channel() {
        return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    static Class<? extends ServerChannel> serverChannel() {
        return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /**
     * Puts TLS before the handlers of a channel.
     *
     * @param encryption null: none
     * @param server at the client, whom it reaches; at the server null
     */
    static void encrypt(Channel channel, Tls encryption, Endpoint server) {
        if (encryption != null) {
            channel.pipeline().addLast(encryption.handler(channel.alloc(), server, 10_000));
        }
    }

    static final ChannelOption<Boolean> NO_DELAY = ChannelOption.TCP_NODELAY;

    /**
     * Returns memory to send from: {@code before} if it is long enough, else new memory of zeros,
     * and releases {@code before}, which may be null.
     */
    static ByteBuf payload(ByteBuf before, int bytes) {
        if (before != null && before.capacity() >= bytes) {
            return before;
        }
        if (before != null) {
            before.release();
        }
        ByteBuf made = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
        return made.writeZero(bytes);
    }
}
