package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Answers that are errors: the code in the header, a UTF-8 message as control part. */
public final class ErrorFrame {
    private static final int LONGEST = 2000;

    private ErrorFrame() {}

    /** An error for the request of that api id and correlation; owned by the caller. */
    public static ByteBuf of(
            ByteBufAllocator allocator,
            int apiId,
            long correlation,
            ErrorCode code,
            String message) {
        String text = message == null ? code.meaning() : message;
        ByteBuf frame =
                new ControlWriter(allocator)
                        .string(text.length() > LONGEST ? text.substring(0, LONGEST) : text)
                        .finish(ApiKey.PING, FrameHeader.FLAG_RESPONSE, correlation, code.id());
        frame.setShortLE(4, apiId);
        return frame;
    }

    /** The error a response carries, or null. */
    public static PsException of(ByteBuf response) {
        int code = FrameHeader.word(response);
        return code == 0
                ? null
                : new PsException(ErrorCode.ofId(code), new ControlReader(response).string());
    }
}
