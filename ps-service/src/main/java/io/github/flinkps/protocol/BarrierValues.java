package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers BARRIER with the values of all who met: int32 parties, then for each int32 count and
 * float64 values.
 */
public record BarrierValues(List<double[]> all) {
    public void write(ControlWriter out) {
        out.int32(all.size());
        for (double[] each : all) {
            out.int32(each.length);
            for (double value : each) {
                out.float64(value);
            }
        }
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
