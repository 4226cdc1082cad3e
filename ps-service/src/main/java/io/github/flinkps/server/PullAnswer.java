package io.github.flinkps.server;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ExchangeAnswer;
import io.github.flinkps.protocol.FrameBody;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Encodes the answer to an EXCHANGE: the rows it pulls. Confined to the owner thread. */
final class PullAnswer {
    private PullAnswer() {}

    /**
     * Returns the frame of an answer, owned by the caller.
     *
     * @throws PsException TOO_LARGE if no frame can hold the rows
     */
    static ByteBuf encode(
            LogEntry entry, long correlation, long lowestClock, ByteBufAllocator allocator) {
        int pulls = entry.pulls();
        int control = ExchangeAnswer.controlLength(pulls);
        long messages = 0;
        for (int i = 0; i < pulls; i++) {
            RowSet rows = entry.pull(i);
            rows.prepare(false);
            messages += rows.table().values().encodedSize(rows.count());
        }
        long total = FrameBody.frameLength(control, messages);
        if (total > Integer.MAX_VALUE) {
            throw new PsException(
                    ErrorCode.TOO_LARGE, "a pull of " + total + " bytes in one request");
        }
        ByteBuf response = allocator.directBuffer((int) total, (int) total);
        try {
            response.writerIndex((int) total);
            FrameHeader.writeResponse(response, ApiKey.EXCHANGE.id(), correlation, control, 0);
            ByteBuffer out = response.nioBuffer(0, (int) total).order(ByteOrder.LITTLE_ENDIAN);
            ExchangeAnswer.put(out, pulls, lowestClock);
            int at = FrameBody.begin(out, control);
            for (int i = 0; i < pulls; i++) {
                int length = encode(out, entry.pull(i), at);
                RowSet rows = entry.pull(i);
                ExchangeAnswer.putPull(out, i, rows.table().id(), rows.count(), at, length);
                at += length;
            }
            return response;
        } catch (RuntimeException | Error e) {
            response.release();
            throw e;
        }
    }

    private static int encode(ByteBuffer out, RowSet rows, int at) {
        BatchLayout layout = rows.table().values();
        layout.writeMetadata(out, at, rows.count());
        FloatBuffer values =
                FrameBody.floats(
                        out,
                        at + layout.columnOffset(0, rows.count()),
                        rows.count() * layout.width());
        for (int slice = 0; slice < rows.slices(); slice++) {
            rows.gather(slice, rows.log(slice).partition(), values);
        }
        return layout.encodedSize(rows.count());
    }
}
