package io.github.flinkps.transport;

import io.github.flinkps.protocol.ChunkHeader;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The large frames that a connection sends, in chunks that take turns. Counts their memory: a frame
 * is one buffer, and all of it stays until its last chunk has left the channel. Confined to the
 * channel's event loop.
 */
final class LargeFrames {
    private final Channel channel;
    private final Runnable frameGone;
    private final ArrayDeque<ByteBuf> begun = new ArrayDeque<>();
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();

    /** Bytes of which no chunk has been written. */
    private long unwritten;

    /** Bytes of chunks that have been written and are in the channel's buffer. */
    private long written;

    /** Memory of the frames whose last chunk is still here. */
    private long held;

    /**
     * Begins without frames.
     *
     * @param frameGone called when the memory of a frame is free
     */
    LargeFrames(Channel channel, Runnable frameGone) {
        this.channel = channel;
        this.frameGone = frameGone;
    }

    /** Adds a frame, and takes its ownership. */
    void add(ByteBuf frame) {
        unwritten += frame.readableBytes();
        held += frame.readableBytes();
        waiting.add(frame);
    }

    /** Returns the bytes of which no chunk has been written. */
    long unwritten() {
        return unwritten;
    }

    /** Returns the memory of frames, all of each while a part of it is here. */
    long held() {
        return held;
    }

    /** Returns how much of it has been written and not sent; TLS may not have taken it yet. */
    long written() {
        return written;
    }

    /** Returns whether a chunk may be written. A frame that may not begin holds up no other. */
    boolean hasNext() {
        for (Iterator<ByteBuf> each = waiting.iterator(); each.hasNext(); ) {
            ByteBuf next = each.next();
            if (ChunkHeader.mayBegin(begun, ByteBuf::writerIndex, next.writerIndex())) {
                begun.add(next);
                each.remove();
            }
        }
        return !begun.isEmpty();
    }

    /** Writes a chunk of the frame whose turn it is, to be flushed. */
    void writeNext() {
        ByteBuf frame = begun.element();
        int bytes = Math.min(ChunkHeader.CHUNK_BYTES, frame.readableBytes());
        ByteBuf head = channel.alloc().directBuffer(FrameHeader.BYTES, FrameHeader.BYTES);
        head.writerIndex(FrameHeader.BYTES);
        ChunkHeader.write(head, frame, frame.readerIndex(), bytes);
        ByteBuf piece = frame.readRetainedSlice(bytes);
        int freed = frame.isReadable() ? 0 : frame.writerIndex();
        begun.remove();
        if (freed == 0) {
            begun.add(frame);
        } else {
            frame.release();
        }
        unwritten -= bytes;
        written += bytes;
        channel.write(head, channel.voidPromise());
        channel.write(piece)
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE)
                .addListener(done -> gone(bytes, freed));
    }

    private void gone(int bytes, int freed) {
        held -= freed;
        if (freed > 0) {
            frameGone.run(); // the channel still counts the chunk
        }
        written -= bytes;
    }

    /** Releases what has not been written; nothing is to be sent after it. */
    void release() {
        begun.forEach(ByteBuf::release);
        begun.clear();
        waiting.forEach(ByteBuf::release);
        waiting.clear();
    }
}
