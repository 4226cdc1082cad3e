package io.github.flinkps.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CompletableFuture;

/**
 * One end of a two-way stream of frames; frames arrive in the order in which they were sent, but
 * for large ones.
 */
public interface Connection {
    /**
     * Sends a frame and takes its ownership, from any thread. A frame that cannot be sent any more
     * is released, and the handler is told that the connection has closed.
     */
    void send(ByteBuf frame);

    /** Returns the allocator of frames for this connection. */
    ByteBufAllocator allocator();

    /** Returns the loop on which the handler is called. */
    Loop loop();

    /**
     * Hands the connection to another loop and handler; completes there. Frames that arrive
     * meanwhile wait. Called on the present loop.
     */
    CompletableFuture<Void> move(Loop loop, FrameHandler handler);

    /** Returns the other end, for messages. */
    String peer();

    /** Returns whether the other end is in this process. */
    default boolean isLocal() {
        return false;
    }

    /** Returns the name in the certificate that the other end has proved; null without one. */
    default String certified() {
        return null;
    }

    /**
     * Says which client is at the other end; called on the loop, before the connection moves.
     *
     * @param name that it has proved to have; null if it was not asked
     */
    void client(long identity, String name);

    /** Returns the client at the other end; 0 before it has said who it is. */
    long client();

    /** Returns the name that the client has proved to have; null if it was not asked. */
    String clientName();

    /**
     * Limits the bytes of a frame that is accepted from now on; called on the loop.
     *
     * @param limit its name, for the message that a frame has more
     */
    void limitFrames(int maxBytes, String limit);

    /**
     * Limits what the other end may leave untaken. While it leaves more than so many bytes, nothing
     * more is read from it. Call it on the loop.
     */
    void limitUnsent(long maxBytes);

    /**
     * Reads nothing more from the other end; called on the loop. What has been read may still
     * arrive. A simulated connection goes on.
     */
    default void stopReading() {}

    /**
     * Returns whether there is memory for an answer of so many bytes besides all those, of all
     * connections, that their other ends have not taken. Call it on the loop.
     */
    boolean hasRoomFor(long bytes);

    /** The number of bytes that says that those of all connections are too many. */
    long NO_ROOM = Long.MAX_VALUE;

    /**
     * Counts the bytes of frames that the handler keeps; called on the loop.
     *
     * @param bytes more, or negative: less
     * @return how many those of this connection are now; {@link #NO_ROOM} if there is no memory for
     *     these beside those of all connections, which are counted all the same
     */
    long reserve(long bytes);

    /**
     * Returns a number that changes while the other end takes part: while parts of a frame arrive,
     * or it takes what waits to be sent. Called on the loop. A connection without sockets says 0.
     */
    default long progress() {
        return 0;
    }

    /** Closes both directions; idempotent, any thread. */
    void close();
}
