package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers BARRIER with the values of all who met: int32 parties, then for each int32 count and
 * float64 values.
 */
public record BarrierValues(List<double[]> all) {
    /** Returns the body of the answer, the same for all who met. */
    public byte[] encode() {
        int values = all.stream().mapToInt(each -> each.length).sum();
        ByteBuffer body =
                ByteBuffer.allocate(Integer.BYTES * (1 + all.size()) + Double.BYTES * values)
                        .order(ByteOrder.LITTLE_ENDIAN);
        body.putInt(all.size());
        for (double[] each : all) {
            body.putInt(each.length);
            for (double value : each) {
                body.putDouble(value);
            }
        }
        return body.array();
    }

    /** Reads an answer's frame, which stays the caller's. */
    public static BarrierValues decode(ByteBuf frame) {
        ControlReader in = new ControlReader(frame);
        List<double[]> all = new ArrayList<>();
        for (int party = in.count(Integer.BYTES); party > 0; party--) {
            double[] values = new double[in.count(Double.BYTES)];
            for (int i = 0; i < values.length; i++) {
                values[i] = in.float64();
            }
            all.add(values);
        }
        return new BarrierValues(all);
    }
}
