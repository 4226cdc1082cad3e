package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.LogBudget;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The base of all handlers of requests: every request is answered, if only with an error. */
abstract class RequestHandler implements FrameHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

    /** Keeps whoever makes requests fail from filling the disk: one log is that of the process. */
    private static final LogBudget FAILURES = new LogBudget(60);

    private volatile long requests;

    /** Returns the number of requests taken so far; read by other threads. */
    final long requests() {
        return requests;
    }

    /**
     * Handles a request and releases its frame, or keeps it; may throw {@link PsException} while it
     * has not released it.
     */
    abstract void handle(ApiKey api, Connection connection, ByteBuf frame);

    @Override
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer
    public final void onFrame(Connection connection, ByteBuf frame) {
        requests++;
        int apiId = FrameHeader.api(frame);
        long correlation = FrameHeader.correlation(frame);
        long start = MessageTrace.on() ? System.nanoTime() : 0;
        ByteBuf traced = MessageTrace.on() ? frame.retain() : null;
        try {
            handle(ApiKey.of(apiId, FrameHeader.version(frame)), connection, frame);
        } catch (RuntimeException | Error e) {
            frame.release();
            refused(connection, e);
            PsException known = KnownError.of(e);
            if (known.code() == ErrorCode.INTERNAL && known != e && FAILURES.take()) {
                LOG.error("request {} of {} failed", apiId, connection.peer(), e);
            }
            ErrorAnswer.send(connection, apiId, correlation, known.code(), known.getMessage());
        } finally {
            if (traced != null) {
                MessageTrace.request(connection.peer(), traced, System.nanoTime() - start);
                traced.release();
            }
        }
    }

    /** Tells that a request is answered with an error, before it is; does nothing here. */
    void refused(Connection connection, Throwable why) {}

    @Override
    public void onClosed(Connection connection, Throwable cause) {
        LOG.debug("connection of {} closed", connection.peer(), cause);
    }
}
