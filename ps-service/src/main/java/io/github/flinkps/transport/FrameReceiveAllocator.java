package io.github.flinkps.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Offers the frame under assembly to the socket. A connection's turn ends with the read that ends a
 * frame: the others of its loop, and timers, have theirs before the next read. Otherwise one whose
 * peer asks again at once is served for as long as it does, and who waits beside it starves.
 */
final class FrameReceiveAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
    /** The largest buffer that Netty's pool caches by thread. */
    private static final int READ_BYTES = 32 * 1024;

    /**
     * The reads that suffice for what is left of a frame, its header, and a piece that is there.
     */
    private static final int READS_IN_A_ROW = 4;

    private final FrameAssembler assembler;

    FrameReceiveAllocator(FrameAssembler assembler) {
        super(READS_IN_A_ROW);
        this.assembler = assembler;
    }

    @Override
    @SuppressWarnings("deprecation") // the only way to name the type of a handle
    public RecvByteBufAllocator.Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return READ_BYTES;
            }

            @Override
            public ByteBuf allocate(ByteBufAllocator alloc) {
                ByteBuf target = assembler.target();
                return target == null ? alloc.ioBuffer(READ_BYTES, READ_BYTES) : target;
            }

            @Override
            public void reset(ChannelConfig config) {
                super.reset(config);
                assembler.beginTurn();
            }

            /**
             * Returns how much a read asked for. Netty takes it that there is more if as much was
             * read; so at the end of a turn it is more than any read.
             */
            @Override
            public int attemptedBytesRead() {
                return assembler.isTurnOver() ? Integer.MAX_VALUE : super.attemptedBytesRead();
            }

            @Override
            public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
                return !assembler.isTurnOver() && super.continueReading(maybeMore);
            }
        };
    }
}
