package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.transport.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers that are errors. Any thread. */
final class ErrorAnswer {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswer.class);

    private ErrorAnswer() {}

    /**
     * Sends an error. Throws nothing: where not even that can be sent, for lack of memory, the
     * connection ends, so that nobody waits at its other end for what will not come.
     */
    static void send(
            Connection connection, int apiId, long correlation, ErrorCode code, String message) {
        try {
            connection.send(
                    ErrorFrame.of(connection.allocator(), apiId, correlation, code, message));
        } catch (RuntimeException | Error e) {
            connection.loop().report(e); // first, as what follows may need memory too
            connection.close();
            LOG.error(
                    "{} of {} is not answered ({}): {}",
                    apiId,
                    connection.peer(),
                    message,
                    e.toString());
        }
    }
}
