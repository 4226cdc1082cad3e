package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what goes over the sockets of one end, in frames as they are before TLS. Thread-safe. */
public final class ConnectionTraffic {
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final Map<ErrorCode, LongAdder> errors = new EnumMap<>(ErrorCode.class);

    ConnectionTraffic() {
        for (ErrorCode code : ErrorCode.values()) {
            errors.put(code, new LongAdder());
        }
    }

    void received(ByteBuf frame) {
        received.add(frame.readableBytes());
    }

    void sent(ByteBuf frame) {
        sent.add(frame.readableBytes());
        if (FrameHeader.isResponse(frame)) {
            int code = FrameHeader.errorCode(frame);
            if (code != 0) {
                errors.get(ErrorCode.ofId(code)).increment();
            }
        }
    }

    /** Returns the bytes of the frames that have arrived. */
    public long bytesReceived() {
        return received.sum();
    }

    /** Returns the bytes of the frames that were given to be sent. */
    public long bytesSent() {
        return sent.sum();
    }

    /** Returns how often each error was answered; all codes, also those that never were. */
    public Map<ErrorCode, Long> errors() {
        Map<ErrorCode, Long> counts = new EnumMap<>(ErrorCode.class);
        errors.forEach((code, count) -> counts.put(code, count.sum()));
        return counts;
    }
}
