package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * The answers about cuts; fixed layouts around what {@link AdminCodec} encodes. The requests are
 * {@link AdminMessages}.
 */
public final class CutMessages {
    private CutMessages() {}

    /** Answers BEGIN_CUTS with the clock at which the worker begins. */
    public record Begun(long clock) {
        public void write(ControlWriter out) {
            out.int64(clock);
        }

        /** Reads an answer's frame, which stays the caller's. */
        public static Begun decode(ByteBuf frame) {
            return new Begun(new ControlReader(frame).int64());
        }
    }

    /**
     * Answers AWAIT_CUT with what each owner thread has written.
     *
     * @param encoded an {@link AdminMessages.CutReport} each
     */
    public record Written(List<byte[]> encoded) {
        public void write(ControlWriter out) {
            out.int32(encoded.size());
            encoded.forEach(out::bytes);
        }

        /** Reads an answer's frame, which stays the caller's. */
        public static List<AdminMessages.CutReport> decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            List<AdminMessages.CutReport> reports = new ArrayList<>();
            for (int left = in.count(Integer.BYTES); left > 0; left--) {
                reports.add(new AdminCodec().decode(in.bytes(), AdminMessages.CutReport.class));
            }
            return reports;
        }
    }
}
