package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;

/** Knows requests that a server would cut off, and again each time that they are sent. */
final class FrameLimit {
    private FrameLimit() {}

    /**
     * Returns why a request cannot be sent, or null if it can.
     *
     * @param owner thread that it is for
     * @param serverFrameBytes the largest frame that the server takes
     */
    static PsException excess(int bytes, int owner, int serverFrameBytes, String server) {
        boolean ofControl =
                owner == HelloMessage.CONTROL && serverFrameBytes > FrameHeader.CONTROL_FRAME_LIMIT;
        int most = ofControl ? FrameHeader.CONTROL_FRAME_LIMIT : serverFrameBytes;
        return bytes <= most
                ? null
                : new PsException(
                        ErrorCode.TOO_LARGE,
                        "a request of "
                                + bytes
                                + " bytes is more than "
                                + (ofControl
                                        ? FrameHeader.MOST_OF_CONTROL
                                        : FrameHeader.MOST_BY_OPTION)
                                + " "
                                + most
                                + " of server "
                                + server);
    }
}
