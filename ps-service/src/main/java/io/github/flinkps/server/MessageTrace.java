package io.github.flinkps.server;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line per message at level TRACE of the logger {@code io.github.flinkps.messages}: api, ids,
 * sizes, time.
 */
final class MessageTrace {
    private static final Logger LOG = LoggerFactory.getLogger("io.github.flinkps.messages");

    private MessageTrace() {}

    static boolean on() {
        return LOG.isTraceEnabled();
    }

    static void request(String peer, ByteBuf frame, long nanos) {
        int api = FrameHeader.api(frame);
        LOG.trace(
                "{}{} id={} peer={} bytes={} control={} timeoutMillis={} handledMicros={}",
                ApiKey.name(api),
                api == ApiKey.EXCHANGE.id() ? exchange(frame) : "",
                FrameHeader.correlation(frame),
                peer,
                FrameHeader.length(frame),
                FrameHeader.controlLength(frame),
                FrameHeader.timeoutMillis(frame),
                nanos / 1000);
    }

    /** Describes whose entry it is, where it stands in the log, and what it carries. */
    private static String exchange(ByteBuf frame) {
        if (!FrameHeader.hasControl(frame, ExchangeHeader.BYTES)) {
            return "";
        }
        ByteBuffer bytes = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        return " session="
                + ExchangeHeader.session(bytes)
                + " sequence="
                + ExchangeHeader.sequence(bytes)
                + " clock="
                + ExchangeHeader.clock(bytes)
                + " pushes="
                + ExchangeHeader.pushes(bytes)
                + " pulls="
                + ExchangeHeader.pulls(bytes);
    }
}
