package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.transport.Connection;
import java.util.function.Consumer;

/**
 * Where the answer to a request on a control connection goes.
 *
 * @param onError what to do before it says that owners failed
 */
record ControlAnswer(ApiKey api, Connection connection, long correlation, Runnable onError) {
    ControlAnswer(ApiKey api, Connection connection, long correlation) {
        this(api, connection, correlation, () -> {});
    }

    /** The same answer, with something to do before it says that owners failed. */
    ControlAnswer orElse(Runnable undo) {
        return new ControlAnswer(api, connection, correlation, undo);
    }

    void send(Consumer<ControlWriter> body) {
        ControlWriter out = new ControlWriter(connection.allocator());
        body.accept(out);
        connection.send(out.response(api, correlation));
    }

    void fail(Throwable error) {
        PsException known =
                error instanceof PsException ps
                        ? ps
                        : new PsException(
                                error instanceof IllegalArgumentException
                                        ? ErrorCode.INVALID_ARGUMENT
                                        : ErrorCode.INTERNAL,
                                error instanceof IllegalArgumentException
                                        ? error.getMessage()
                                        : String.valueOf(error),
                                error);
        connection.send(
                ErrorFrame.of(
                        connection.allocator(),
                        api.id(),
                        correlation,
                        known.code(),
                        known.getMessage()));
    }
}
