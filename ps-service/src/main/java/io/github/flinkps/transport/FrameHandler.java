package io.github.flinkps.transport;

import io.netty.buffer.ByteBuf;

/** Handles the events of a connection for its owner; called on the connection's loop. */
public interface FrameHandler {
    /** Takes a whole frame, contiguous and direct, which the callee owns. */
    void onFrame(Connection connection, ByteBuf frame);

    /** Takes note, once, that the connection is gone. The cause is null when this end closed it. */
    void onClosed(Connection connection, Throwable cause);
}
