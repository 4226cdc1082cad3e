package io.github.flinkps.server;

import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.codec.ValueFormat;
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

    /** Counts what an answer takes while its rows are found, so that few are found in vain. */
    static final class Room {
        /** Bytes that the places of a slice take beside the answer. */
        private static final int SLICE_BYTES = 12;

        private final int maxFrameBytes;
        private long length;
        private long places;

        /** Begins with the answer to so many pulls, all of them empty. */
        Room(int pulls, int maxFrameBytes) {
            this.maxFrameBytes = maxFrameBytes;
            this.length = FrameBody.frameLength(ExchangeAnswer.controlLength(pulls), 1);
        }

        /** Returns the bytes of the answer's frame. */
        long length() {
            return length;
        }

        /**
         * Takes room for the rows of a pull.
         *
         * @throws PsException TOO_LARGE if they do not fit an answer with those before them
         */
        void take(RowSet rows, ValueEncoding encoding) {
            length += rows.table().format(encoding).encodedSize(rows.count());
            places += (long) SLICE_BYTES * rows.slices();
            if (encoding != ValueEncoding.FP32) { // is gathered before it is encoded
                places += (long) Float.BYTES * rows.count() * rows.table().spec().width();
            }
            if (length + places > maxFrameBytes) {
                throw new PsException(
                        ErrorCode.TOO_LARGE,
                        "a pull that takes at least "
                                + (length + places)
                                + " bytes in one request, more than max-frame-bytes "
                                + maxFrameBytes);
            }
        }
    }

    private static long frameLength(LogEntry entry) {
        long messages = 0;
        for (int i = 0; i < entry.pulls(); i++) {
            RowSet rows = entry.pull(i);
            messages += rows.table().format(entry.encoding(i)).encodedSize(rows.count());
        }
        return FrameBody.frameLength(ExchangeAnswer.controlLength(entry.pulls()), messages);
    }

    /** Returns the frame of an answer that has been checked, owned by the caller. */
    static ByteBuf encode(
            LogEntry entry, long correlation, long lowestClock, ByteBufAllocator allocator) {
        int pulls = entry.pulls();
        int control = ExchangeAnswer.controlLength(pulls);
        for (int i = 0; i < pulls; i++) {
            entry.pull(i).prepare(false);
        }
        int total = Math.toIntExact(frameLength(entry));
        ByteBuf response = allocator.directBuffer(total, total);
        try {
            response.writerIndex(total);
            FrameHeader.writeResponse(response, ApiKey.EXCHANGE.id(), correlation, control, 0);
            ByteBuffer out = response.nioBuffer(0, total).order(ByteOrder.LITTLE_ENDIAN);
            ExchangeAnswer.put(out, pulls, lowestClock);
            int at = FrameBody.begin(out, control);
            for (int i = 0; i < pulls; i++) {
                RowSet rows = entry.pull(i);
                int length = encode(out, rows, entry.encoding(i), at);
                ExchangeAnswer.putPull(out, i, rows.table().id(), rows.count(), at, length);
                at += length;
            }
            return response;
        } catch (RuntimeException | Error e) {
            response.release();
            throw e;
        }
    }

    private static int encode(ByteBuffer out, RowSet rows, ValueEncoding encoding, int at) {
        ValueFormat format = rows.table().format(encoding);
        int floats = rows.count() * format.width();
        if (encoding == ValueEncoding.FP32) {
            int column = format.begin(out, at, rows.count());
            gather(rows, FrameBody.floats(out, column, floats));
        } else {
            float[] values = new float[floats];
            gather(rows, FloatBuffer.wrap(values));
            format.encode(values, 0, rows.count(), ValueFormat.NEAREST, out, at);
        }
        return format.encodedSize(rows.count());
    }

    private static void gather(RowSet rows, FloatBuffer values) {
        for (int slice = 0; slice < rows.slices(); slice++) {
            rows.gather(slice, rows.log(slice).partition(), values);
        }
    }
}
