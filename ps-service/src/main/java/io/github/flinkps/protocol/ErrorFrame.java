package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Writes and reads answers that are errors: the code in the header, a UTF-8 message behind it. */
public final class ErrorFrame {
    private static final int LONGEST = 2000;

    private ErrorFrame() {}

    /**
     * Returns an error for the request of that api id and correlation, which the server need not
     * know; owned by the caller.
     */
    public static ByteBuf of(
            ByteBufAllocator allocator,
            int apiId,
            long correlation,
            ErrorCode code,
            String message) {
        String text = message == null ? code.meaning() : message;
        return new ControlWriter(allocator)
                .string(text.length() > LONGEST ? text.substring(0, LONGEST) : text)
                .error(apiId, correlation, code.id());
    }

    /** Returns the error a response carries, or null. */
    public static PsException of(ByteBuf response) {
        int code = FrameHeader.errorCode(response);
        return code == 0
                ? null
                : new PsException(ErrorCode.ofId(code), new ControlReader(response).string());
    }

    /**
     * Returns an error with the server that answers it, where its text alone reads as if it were
     * the client's own: an unforeseen one. Others, and null, stay as they are.
     */
    public static PsException named(PsException error, String server) {
        return error == null || error.code() != ErrorCode.INTERNAL
                ? error
                : new PsException(
                        error.code(), "server " + server + " failed: " + error.getMessage(), error);
    }
}
