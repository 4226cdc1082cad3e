package io.github.flinkps.flink.data;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecodedFormatTest {
    private static final Charset WINDOWS = Charset.forName("windows-1252");

    private final List<String> lines = new ArrayList<>();

    /** A format that keeps what it is given. */
    private final class Keeping implements RowFormat {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return "keeping";
        }

        @Override
        public boolean header() {
            return true;
        }

        @Override
        public RowParser newParser() {
            return (buffer, from, to, out) -> lines.add(new String(buffer, from, to - from, UTF_8));
        }
    }

    private static void parse(RowParser parser, byte[] line) throws RowProblem {
        byte[] buffer = new byte[line.length + 5];
        System.arraycopy(line, 0, buffer, 3, line.length);
        buffer[0] = (byte) 0xff;
        buffer[buffer.length - 1] = (byte) 0xff;
        parser.parse(buffer, 3, 3 + line.length, new RowBatchBuilder());
    }

    @Test
    void handsOnTextInUtf8() throws RowProblem {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> expected = new ArrayList<>();
        RowParser windows = new Keeping().decoded(WINDOWS).newParser();
        RowParser utf8 = new Keeping().decoded(UTF_8).newParser();
        for (int i = 0; i < 300; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(random.nextInt(20) == 0 ? 5000 : 30);
            for (int c = 0; c < length; c++) {
                text.append(
                        random.nextInt(4) > 0 ? "a" : random.nextBoolean() ? "\u20ac" : "\u00e9");
            }
            expected.add(text.toString());
            expected.add(text.toString());
            parse(windows, text.toString().getBytes(WINDOWS));
            parse(utf8, text.toString().getBytes(UTF_8));
        }
        assertThat(lines).as("seed %d", seed).isEqualTo(expected);
        assertThat(new Keeping().decoded(WINDOWS).name()).isEqualTo("keeping");
        assertThat(new Keeping().decoded(WINDOWS).header()).isTrue();
    }

    @Test
    void refusesBytesThatAreNotOfTheEncoding() throws RowProblem {
        RowParser utf8 = new Keeping().decoded(UTF_8).newParser();
        RowProblem problem =
                catchThrowableOfType(
                        RowProblem.class, () -> parse(utf8, "p\u00e8re".getBytes(ISO_8859_1)));
        assertThat(problem)
                .hasMessage("byte 0xe8 is not of the encoding UTF-8; --encoding names another");
        assertThat(problem.at()).isEqualTo(4);
        assertThatThrownBy(() -> parse(utf8, new byte[] {'a', (byte) 0xc3}))
                .as("cut off in the middle")
                .hasMessageContaining("byte 0xc3");
        RowParser windows = new Keeping().decoded(WINDOWS).newParser();
        assertThatThrownBy(() -> parse(windows, new byte[] {(byte) 0x81}))
                .hasMessageContaining("byte 0x81 is not of the encoding windows-1252");
        parse(utf8, "p\u00e8re".getBytes(UTF_8));
        assertThat(lines).containsExactly("p\u00e8re");
    }

    @Test
    void readsEncodingsThatContainAscii() {
        assertThat(RowFormat.isRead(UTF_8)).isTrue();
        assertThat(RowFormat.isRead(WINDOWS)).isTrue();
        assertThat(RowFormat.isRead(UTF_16)).isFalse();
        assertThat(RowFormat.isRead(Charset.forName("IBM500"))).isFalse();
    }
}
