package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** The opening exchange of a connection; fixed layouts. */
public final class HelloMessage {
    /** "FPS1" read as a little-endian int32. */
    public static final int MAGIC = 0x31535046;

    /** Owner of a control connection. */
    public static final int CONTROL = -1;

    private HelloMessage() {}

    /**
     * What a client says first.
     *
     * @param minVersion lowest protocol version it speaks
     * @param maxVersion highest
     * @param owner index of the owner thread it wants, or {@link #CONTROL}
     * @param mechanism of authentication: 0 none
     * @param client identity of the client instance
     */
    public record Request(int minVersion, int maxVersion, int owner, int mechanism, long client) {
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator)
                    .int32(MAGIC)
                    .int32(minVersion)
                    .int32(maxVersion)
                    .int32(owner)
                    .int32(mechanism)
                    .int64(client)
                    .request(ApiKey.HELLO);
        }

        public static Request decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            if (in.int32() != MAGIC) {
                throw new PsException(ErrorCode.MALFORMED, "not a flink-ps client");
            }
            return new Request(in.int32(), in.int32(), in.int32(), in.int32(), in.int64());
        }
    }

    /**
     * What the server answers.
     *
     * @param version agreed
     * @param owners number of owner threads
     * @param server identity of the server instance
     * @param maxFrameBytes largest frame it takes
     */
    public record Response(int version, int owners, long server, int maxFrameBytes) {
        public ByteBuf encode(ByteBufAllocator allocator, long correlation) {
            return new ControlWriter(allocator)
                    .int32(version)
                    .int32(owners)
                    .int64(server)
                    .int32(maxFrameBytes)
                    .response(ApiKey.HELLO, correlation);
        }

        public static Response decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new Response(in.int32(), in.int32(), in.int64(), in.int32());
        }
    }
}
