package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.transport.Connection;
import io.netty.buffer.ByteBuf;

/**
 * An EXCHANGE from its arrival to its one answer. Owns its frame until then. Confined to the owner
 * thread.
 */
final class ExchangeRequest {
    private final Connection connection;
    private final LogEntry entry;
    private final OwnerSession session;
    private final long correlation;
    private final long deadline;
    private boolean over;
    private long reservedBytes;

    /**
     * A request whose entry has been bound.
     *
     * @param arrived on the loop's clock
     */
    ExchangeRequest(Connection connection, OwnerSession session, LogEntry entry, long arrived) {
        this.connection = connection;
        this.session = session;
        this.entry = entry;
        ByteBuf frame = entry.frame();
        this.correlation = FrameHeader.correlation(frame);
        this.deadline = arrived + Math.max(1, FrameHeader.timeoutMillis(frame)) * 1_000_000L;
    }

    OwnerSession session() {
        return session;
    }

    LogEntry entry() {
        return entry;
    }

    /** Returns when the client gives up, on the loop's clock. */
    long deadline() {
        return deadline;
    }

    boolean isOf(Connection other) {
        return connection == other;
    }

    /** Returns the client's number of the request; the same when it sends it again. */
    long correlation() {
        return correlation;
    }

    /**
     * Answers with what is pulled, and releases the frame. If there is no memory for that, the
     * client asks again for what it has pulled; what it has pushed has taken effect.
     */
    void answer(long lowestClock) {
        AnswerRoom.check(connection, entry.answerBytes());
        connection.send(PullAnswer.encode(entry, correlation, lowestClock, connection.allocator()));
        release();
    }

    /**
     * Answers with an error, and releases the frame; nothing if that has been done. Throws nothing.
     */
    void fail(PsException error) {
        if (over) {
            return;
        }
        try {
            ErrorAnswer.send(
                    connection,
                    ApiKey.EXCHANGE.id(),
                    correlation,
                    error.code(),
                    error.getMessage());
        } finally {
            release();
        }
    }

    /**
     * Counts its frame among those that wait: what a connection has waiting is limited, but one may
     * always, and what all connections have.
     *
     * @throws PsException THROTTLED
     */
    void reserve(long inFlightBytes) {
        if (reservedBytes > 0) {
            return;
        }
        long own = entry.bytes();
        long all = connection.reserve(own);
        if (all == Connection.NO_ROOM) {
            connection.reserve(-own);
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "requests that wait leave no memory for one of "
                            + own
                            + " bytes, as much as assembly-bytes allows");
        }
        if (all > inFlightBytes && all > own) {
            connection.reserve(-own);
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "requests of more than " + inFlightBytes + " bytes wait on this connection");
        }
        reservedBytes = own;
    }

    /** Ends it, if it is not over. */
    void release() {
        if (abandon()) {
            entry.frame().release();
        }
    }

    /** Returns whether it is over: answered, or abandoned. */
    boolean isOver() {
        return over;
    }

    /**
     * Lets all go but the frame: another answers.
     *
     * @return false, and it does nothing, if it is over
     */
    boolean abandon() {
        if (over) {
            return false;
        }
        over = true;
        if (reservedBytes > 0) {
            connection.reserve(-reservedBytes);
        }
        entry.releaseRows();
        return true;
    }
}
