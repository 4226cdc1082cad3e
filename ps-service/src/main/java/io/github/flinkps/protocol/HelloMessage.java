package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** The opening exchange of a connection; fixed layouts. */
public final class HelloMessage {
    /** "FPS1" read as a little-endian int32. */
    public static final int MAGIC = 0x31535046;

    /** The mechanism of a client that shows nothing but, perhaps, a certificate. */
    public static final int NO_CREDENTIAL = 0;

    /** The mechanism of a client that shows a token. */
    public static final int TOKEN = 1;

    /** The longest credential. */
    public static final int MOST_CREDENTIAL_BYTES = 4096;

    private static final byte[] NONE = {};

    /** Owner of a control connection. */
    public static final int CONTROL = -1;

    private HelloMessage() {}

    /**
     * The first message of a client.
     *
     * @param minVersion lowest protocol version it speaks
     * @param maxVersion highest
     * @param owner index of the owner thread it wants, or {@link #CONTROL}
     * @param mechanism of authentication: {@link #NO_CREDENTIAL} or {@link #TOKEN}
     * @param client identity of the client instance
     * @param credential what the mechanism shows, not in messages; empty without one
     */
    public record Request(
            int minVersion,
            int maxVersion,
            int owner,
            int mechanism,
            long client,
            byte[] credential) {
        /** Asks for an owner thread, or for {@link #CONTROL}, by the one version there is. */
        public static Request of(int owner, long client, byte[] credential) {
            return new Request(
                    FrameHeader.PROTOCOL_VERSION,
                    FrameHeader.PROTOCOL_VERSION,
                    owner,
                    credential.length == 0 ? NO_CREDENTIAL : TOKEN,
                    client,
                    credential);
        }

        public ByteBuf encode(ByteBufAllocator allocator) {
            ControlWriter out =
                    new ControlWriter(allocator)
                            .int32(MAGIC)
                            .int32(minVersion)
                            .int32(maxVersion)
                            .int32(owner)
                            .int32(mechanism)
                            .int64(client);
            return (mechanism == TOKEN ? out.bytes(credential) : out).request(ApiKey.HELLO);
        }

        public static Request decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            if (in.int32() != MAGIC) {
                throw new PsException(ErrorCode.MALFORMED, "not a flink-ps client");
            }
            int minVersion = in.int32();
            int maxVersion = in.int32();
            int owner = in.int32();
            int mechanism = in.int32();
            long client = in.int64();
            byte[] credential = mechanism == TOKEN ? in.bytes() : NONE;
            if (credential.length > MOST_CREDENTIAL_BYTES) {
                throw new PsException(
                        ErrorCode.MALFORMED, "a credential of " + credential.length + " bytes");
            }
            return new Request(minVersion, maxVersion, owner, mechanism, client, credential);
        }
    }

    /**
     * The answer of the server.
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
