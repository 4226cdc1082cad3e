package io.github.flinkps.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Follows the records of TLS (RFC 8446, section 5.1) as they arrive, and tells the connection what
 * of one is there: the part of a record that has arrived is kept, though no byte of a frame has.
 * Stands before what decrypts them, which refuses those that are none. Confined to one loop.
 */
final class TlsRecords extends ChannelInboundHandlerAdapter {
    /** A type, a version, and a length of two bytes. */
    private static final int HEADER_BYTES = 5;

    private static final int BYTE_BITS = 8;
    private static final int BYTE_MASK = 0xff;
    private static final int LENGTH_MASK = 0xffff;

    private final NettyConnection connection;

    /** Bytes of the header that have arrived. */
    private int header;

    /** The header's last bytes, of which the last two are the length of the body. */
    private int length;

    /** Bytes of the record's body that are still to come. */
    private int left;

    /** Bytes of the record that have arrived. */
    private int part;

    /** Records that the last bytes have ended. */
    private int ended;

    TlsRecords(NettyConnection connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf data = (ByteBuf) message;
        int part = follow(data);
        connection.onRecords(data.readableBytes(), part, ended);
        ctx.fireChannelRead(data);
        connection.afterRecords();
    }

    /** Follows the next bytes, and returns how many there are of the record they end within. */
    int follow(ByteBuf data) {
        ended = 0;
        int at = data.readerIndex();
        int end = data.writerIndex();
        while (at < end) {
            if (header < HEADER_BYTES) {
                length = length << BYTE_BITS | data.getByte(at) & BYTE_MASK;
                header++;
                at++;
                part++;
                left = length & LENGTH_MASK;
            } else {
                int bytes = Math.min(left, end - at);
                left -= bytes;
                at += bytes;
                part += bytes;
            }
            if (header == HEADER_BYTES && left == 0) {
                header = 0;
                part = 0;
                ended++;
            }
        }
        return part;
    }
}
