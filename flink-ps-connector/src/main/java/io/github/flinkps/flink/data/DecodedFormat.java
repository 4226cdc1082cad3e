package io.github.flinkps.flink.data;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Rows of another format whose text is in some encoding; that format sees UTF-8. A row with bytes
 * that are not of the encoding is bad.
 *
 * @param format of the rows
 * @param encoding of Java's name; it writes characters of ASCII as ASCII does
 */
record DecodedFormat(RowFormat format, String encoding) implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return format.name();
    }

    @Override
    public boolean header() {
        return format.header();
    }

    @Override
    public RowParser newParser() {
        return new Decoder(format.newParser(), Charset.forName(encoding));
    }

    private static final class Decoder implements RowParser {
        private final RowParser parser;
        private final Charset charset;
        private final CharsetDecoder decoder;
        private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        private CharBuffer characters = CharBuffer.allocate(1024);

        /** A line in UTF-8, which begins where it does in the buffer of the reader. */
        private byte[] decoded = new byte[0];

        Decoder(RowParser parser, Charset charset) {
            this.parser = parser;
            this.charset = charset;
            this.decoder = charset.newDecoder(); // reports what it cannot decode
        }

        @Override
        public void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem {
            if (Swar.isAscii(buffer, from, to)) {
                parser.parse(buffer, from, to, out);
                return;
            }
            decode(buffer, from, to);
            if (charset.equals(StandardCharsets.UTF_8)) {
                parser.parse(buffer, from, to, out);
                return;
            }
            int most = from + characters.remaining() * 3 + Long.BYTES;
            if (decoded.length < most) {
                decoded = new byte[Math.max(most, 2 * decoded.length)];
            }
            ByteBuffer into = ByteBuffer.wrap(decoded, from, most - from);
            encoder.reset().encode(characters, into, true);
            parser.parse(decoded, from, into.position(), out);
        }

        private void decode(byte[] buffer, int from, int to) throws RowProblem {
            if (characters.capacity() < to - from) {
                characters = CharBuffer.allocate(2 * (to - from));
            }
            ByteBuffer line = ByteBuffer.wrap(buffer, from, to - from);
            CoderResult result = decoder.reset().decode(line, characters.clear(), true);
            if (!result.isUnderflow()) {
                throw new RowProblem(
                        line.position(),
                        "byte 0x%02x is not of the encoding %s; --encoding names another"
                                .formatted(buffer[line.position()], charset.name()));
            }
            characters.flip();
        }
    }

    /** Returns whether an encoding writes characters of ASCII as ASCII does. */
    static boolean isRead(Charset charset) {
        byte[] ascii = new byte[128];
        for (int i = 0; i < ascii.length; i++) {
            ascii[i] = (byte) i;
        }
        return charset.canEncode()
                && Arrays.equals(
                        new String(ascii, StandardCharsets.US_ASCII).getBytes(charset), ascii);
    }
}
