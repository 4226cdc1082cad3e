package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Asks for rows of a partition as stored; answered by a {@link RowsMessage}. Fixed layout, in this
 * order.
 *
 * @param table number
 * @param partition number
 * @param cursor 0 at first, then that of the answer before
 * @param withSlots whether the optimizer's slots come with the values
 */
public record ScanMessage(int session, int table, int partition, long cursor, boolean withSlots) {
    /** Returns the request's frame, owned by the caller. */
    public ByteBuf encode(ByteBufAllocator allocator) {
        return new ControlWriter(allocator)
                .int32(session)
                .int32(table)
                .int32(partition)
                .int64(cursor)
                .int32(withSlots ? 1 : 0)
                .request(ApiKey.SCAN);
    }

    /** Reads a request's frame, which stays the caller's. */
    public static ScanMessage decode(ByteBuf frame) {
        ControlReader in = new ControlReader(frame);
        return new ScanMessage(in.int32(), in.int32(), in.int32(), in.int64(), in.int32() != 0);
    }
}
