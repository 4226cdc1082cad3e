package io.github.flinkps.server;

import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.transport.Connection;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The destination of the answer to a request that owns its frame no more. Its methods throw
 * nothing: whoever answers several requests, or answers later, goes on with the next.
 *
 * @param onError what to do before it says that owners failed
 */
record ControlAnswer(ApiKey api, Connection connection, long correlation, Runnable onError) {
    ControlAnswer(ApiKey api, Connection connection, long correlation) {
        this(api, connection, correlation, () -> {});
    }

    /** Returns the same answer, with something to do before it says that owners failed. */
    ControlAnswer orElse(Runnable undo) {
        return new ControlAnswer(api, connection, correlation, undo);
    }

    /** Sends a response with this body; an error if writing it fails. */
    void send(Consumer<ControlWriter> body) {
        sendFrame(
                () -> {
                    ControlWriter out = new ControlWriter(connection.allocator());
                    body.accept(out);
                    return out.response(api, correlation);
                });
    }

    /** Answers with a frame; with an error if that cannot be made. */
    void sendFrame(Supplier<ByteBuf> frame) {
        try {
            connection.send(frame.get());
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Answers with an error. An AssertionError, which is a bug, fails the loop as well. */
    void fail(Throwable problem) {
        boolean bug = problem instanceof AssertionError;
        PsException known = bug ? PsException.of(problem) : KnownError.of(problem);
        ErrorAnswer.send(connection, api.id(), correlation, known.code(), known.getMessage());
        if (bug) {
            connection.loop().execute(() -> KnownError.throwBug(problem));
        }
    }
}
