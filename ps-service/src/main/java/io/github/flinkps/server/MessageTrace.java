package io.github.flinkps.server;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ExchangeLayout;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
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
                FrameHeader.control(frame),
                FrameHeader.word(frame),
                nanos / 1000);
    }

    /** Of whom, where in its log, and what of it. */
    private static String exchange(ByteBuf frame) {
        int at = FrameHeader.BYTES;
        return frame.writerIndex() < at + ExchangeLayout.REQUEST_BYTES
                ? ""
                : " session="
                        + frame.getIntLE(at)
                        + " sequence="
                        + frame.getLongLE(at + 8)
                        + " clock="
                        + frame.getLongLE(at + 16)
                        + " pushes="
                        + frame.getIntLE(at + 32)
                        + " pulls="
                        + frame.getIntLE(at + 36);
    }
}
