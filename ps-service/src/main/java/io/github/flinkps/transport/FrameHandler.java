package io.github.flinkps.transport;

import io.netty.buffer.ByteBuf;

/** What a connection's owner does with it; called on the connection's loop. */
public interface FrameHandler {
    /** Called with a whole frame, contiguous and direct, owned by the callee. */
    void onFrame(Connection connection, ByteBuf frame);

    /** Called once when the connection is gone. The cause is null when this end closed it. */
    void onClosed(Connection connection, Throwable cause);
}
