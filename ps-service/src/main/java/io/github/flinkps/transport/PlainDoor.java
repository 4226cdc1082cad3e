package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.Consumer;

/**
 * The first bytes of a connection to a server without TLS: lets a client in clear pass. One that
 * begins TLS gets an answer that is none, by which it knows, and is cut off.
 */
final class PlainDoor extends ByteToMessageDecoder {
    private static final int ENOUGH_TO_TELL = 3;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_MAJOR = 3;

    private final Consumer<Channel> onTls;
    private boolean refused;

    /**
     * A door of one connection.
     *
     * @param onTls is told of a client that begins TLS
     */
    PlainDoor(Consumer<Channel> onTls) {
        this.onTls = onTls;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (refused) {
            in.skipBytes(in.readableBytes());
        } else if (in.readableBytes() >= ENOUGH_TO_TELL) {
            if (beginsTls(in)) {
                refused = true;
                in.skipBytes(in.readableBytes());
                onTls.accept(ctx.channel());
                ctx.writeAndFlush(
                                ErrorFrame.of(
                                        ctx.alloc(),
                                        ApiKey.HELLO.id(),
                                        0,
                                        ErrorCode.UNAUTHENTICATED,
                                        "the server speaks no TLS"))
                        .addListener(ChannelFutureListener.CLOSE);
            } else {
                ctx.pipeline().remove(this);
            }
        }
    }

    /**
     * Returns whether the bytes begin a TLS handshake. A frame that begins so is longer than any
     * that a server takes at first.
     */
    private static boolean beginsTls(ByteBuf in) {
        int at = in.readerIndex();
        return in.getUnsignedByte(at) == TLS_HANDSHAKE
                && in.getUnsignedByte(at + 1) == TLS_MAJOR
                && in.getUnsignedByte(at + 2) > 0;
    }
}
