package io.github.flinkps.transport;

import io.netty.buffer.ByteBuf;

/** What a connection's owner does with it; called on the connection's loop. */
public interface FrameHandler {
    /** A whole frame, contiguous and direct, owned by the callee. */
    void onFrame(Connection connection, ByteBuf frame);

    /** The connection is gone; called once. The cause is null when this end closed it. */
    void onClosed(Connection connection, Throwable cause);
}
