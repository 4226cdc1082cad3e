package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The messages by which an attempt of a job becomes the only one that a server listens to; fixed
 * layouts. The server that the placement ring names for the model is asked first: of several that
 * ask for one number it grants it to one. With its word all others are asked for the same number.
 */
public final class GrantFenceMessage {
    private GrantFenceMessage() {}

    /**
     * A wish.
     *
     * @param model its name
     * @param run the job over all its attempts
     * @param attempt names the attempt, and makes a repeated request the same
     * @param fence wanted: above every one the server knows, or the one that this attempt has
     *     already; 0 only asks
     */
    public record Request(String model, String run, String attempt, long fence) {
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator)
                    .string(model)
                    .string(run)
                    .string(attempt)
                    .int64(fence)
                    .request(ApiKey.GRANT_FENCE);
        }

        public static Request decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new Request(in.string(), in.string(), in.string(), in.int64());
        }
    }

    /**
     * The answer, which comes when nothing of an older fence can take effect any more.
     *
     * @param fence the one granted; to a wish for 0 the model's highest at the server, 0 without
     *     one
     * @param own whether it is the asking attempt's
     */
    public record Response(long fence, boolean own) {
        public ByteBuf encode(ByteBufAllocator allocator, long correlation) {
            return new ControlWriter(allocator)
                    .int64(fence)
                    .int32(own ? 1 : 0)
                    .response(ApiKey.GRANT_FENCE, correlation);
        }

        public static Response decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new Response(in.int64(), in.int32() != 0);
        }
    }
}
