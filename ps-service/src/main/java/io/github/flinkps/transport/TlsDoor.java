package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.security.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * The first bytes of a connection to a server that wants TLS: begins TLS, or tells a client that
 * speaks without it what to do, and closes.
 */
final class TlsDoor extends ByteToMessageDecoder {
    private static final int ENOUGH_TO_TELL = 5;

    private final Tls tls;
    private final long timeoutMillis;
    private boolean refused;

    TlsDoor(Tls tls, long timeoutMillis) {
        this.tls = tls;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (refused) {
            in.skipBytes(in.readableBytes());
        } else if (in.readableBytes() >= ENOUGH_TO_TELL) {
            if (SslHandler.isEncrypted(in, false)) {
                SslHandler handler = tls.handler(ctx.alloc(), null, timeoutMillis);
                ctx.pipeline().replace(this, "tls", handler);
            } else {
                refused = true;
                long correlation =
                        in.readableBytes() < FrameHeader.BYTES
                                ? 0
                                : FrameHeader.correlation(in.slice());
                in.skipBytes(in.readableBytes());
                ctx.writeAndFlush(
                                ErrorFrame.of(
                                        ctx.alloc(),
                                        ApiKey.HELLO.id(),
                                        correlation,
                                        ErrorCode.UNAUTHENTICATED,
                                        "the server speaks TLS only; set tls-trust"
                                                + " (one inside a job takes that job only)"))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
