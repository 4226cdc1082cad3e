package io.github.flinkps.transport;

import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.util.function.BooleanSupplier;

/** Reads some records of TLS, with which the turn of an encrypted connection ends. */
final class RecordReceiveAllocator extends DefaultMaxMessagesRecvByteBufAllocator {
    /** Bytes of a read of a stranger. */
    static final int STRANGER_BYTES = 4 * 1024;

    /** Bytes of a read: a few records. */
    private static final int READ_BYTES = 64 * 1024;

    private final BooleanSupplier known;

    /**
     * @param known whether the other end has said who it is; less is read of a stranger
     */
    RecordReceiveAllocator(BooleanSupplier known) {
        super(1);
        this.known = known;
    }

    @Override
    @SuppressWarnings("deprecation") // the only way to name the type of a handle
    public RecvByteBufAllocator.Handle newHandle() {
        return new MaxMessageHandle() {
            private boolean over;

            @Override
            public int guess() {
                return known.getAsBoolean() ? READ_BYTES : STRANGER_BYTES;
            }

            @Override
            public void reset(ChannelConfig config) {
                super.reset(config);
                over = false;
            }

            @Override
            public void lastBytesRead(int bytes) {
                super.lastBytesRead(bytes);
                over = true;
            }

            /** Returns how much a read asked for, as at the end of another's turn. */
            @Override
            public int attemptedBytesRead() {
                return over ? Integer.MAX_VALUE : super.attemptedBytesRead();
            }
        };
    }
}
