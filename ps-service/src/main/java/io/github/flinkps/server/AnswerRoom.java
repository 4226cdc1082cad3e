package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.transport.Connection;

/** Keeps answers that clients do not take from filling the memory. */
final class AnswerRoom {
    private AnswerRoom() {}

    /**
     * Refuses an answer, before it is made, for which there is no memory. Call it on the loop.
     *
     * @throws PsException THROTTLED, to be tried again
     */
    static void check(Connection connection, long bytes) {
        if (!connection.hasRoomFor(bytes)) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "answers that clients do not take leave no memory for one of "
                            + bytes
                            + " bytes");
        }
    }
}
