package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.testing.LogLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {
    private static final String TWO = "# who\n\nanna:0123456789abcdef\n bert:fedcba9876543210 \n";

    @TempDir private Path folder;

    private String file(String text) throws IOException {
        Path file = folder.resolve("tokens");
        Authority.writeSecret(file, text);
        return file.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "anna:0123456789abcdef,anna",
        "bert:fedcba9876543210,bert",
        "anna:fedcba9876543210,",
        "anna:0123456789abcde,",
        "anna:,",
        "anna,",
        ":0123456789abcdef,",
        "'',",
        "carl:0123456789abcdef,"
    })
    void aLineOfTheFileHasAName(String shown, String name) throws IOException {
        Token token = Token.ofServer(file(TWO));
        assertThat(token.nameOf(shown.getBytes(StandardCharsets.UTF_8))).isEqualTo(name);
    }

    @Test
    void aClientShowsItsLine() throws IOException {
        Token own = Token.ofClient(file("anna:0123456789:abcdef\n"));
        assertThat(own.credential()).asString().isEqualTo("anna:0123456789:abcdef");
        assertThat(Token.ofClient(file("\uFEFFanna:0123456789:abcdef\n")).credential())
                .asString()
                .isEqualTo("anna:0123456789:abcdef");
        String both = file(TWO);
        assertThatThrownBy(() -> Token.ofClient(both))
                .hasMessageContaining("token-file " + both + ": has 2 tokens");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "anna:short",
                "no colon",
                ":0123456789abcdef",
                "anna:0123456789abcdef\nanna:fedcba9876543210",
                "anna:0123456789abcdef\nbert:fedcba9876543210\ncarl:0123456789abcdef",
                "anna:fedcba9876543210\n*:0123456789abcdef",
                "# nobody",
                ""
            })
    void aWrongFileIsNamedAndShowsNoToken(String text) throws IOException {
        String file = file(text);
        assertThatThrownBy(() -> Token.ofServer(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("token-file " + file)
                .message()
                .doesNotContain("0123456789abcdef", "fedcba", "short");
        assertThatThrownBy(() -> Token.ofServer(file + "2")).hasMessageContaining("cannot be read");
    }

    /** Whoever has taken out the last line, or the file, means that nobody is let in. */
    @ParameterizedTest
    @ValueSource(strings = {"", "# nobody\n", "no file"})
    void aFileInWhichNothingIsLeftLetsNobodyIn(String left) throws IOException {
        long[] now = {0};
        Path file = Path.of(file(TWO));
        Token token = Token.ofServer(file.toString(), () -> now[0]);
        byte[] anna = "anna:0123456789abcdef".getBytes(StandardCharsets.UTF_8);
        if (left.equals("no file")) {
            Files.delete(file);
        } else {
            Files.writeString(file, left);
        }
        assertThat(token.nameOf(anna)).as("it may be written just now").isEqualTo("anna");
        now[0] = TimeUnit.MILLISECONDS.toNanos(999);
        assertThat(token.nameOf(anna)).isEqualTo("anna");
        now[0] = TimeUnit.SECONDS.toNanos(1);
        assertThat(token.nameOf(anna)).isNull();
        assertThat(token.nameOf(new byte[0])).isNull();
        assertThat(token.nameOf(":".getBytes(StandardCharsets.UTF_8))).isNull();
        Files.writeString(file, "no colon");
        assertThat(token.nameOf(anna)).as("what is wrong changes nothing").isNull();
        Files.writeString(file, TWO);
        assertThat(token.nameOf(anna)).isEqualTo("anna");
    }

    @Test
    void aFileThatIsWrittenAnewLetsEverybodyInMeanwhile() throws IOException {
        long[] now = {0};
        Path file = Path.of(file(TWO));
        Token token = Token.ofServer(file.toString(), () -> now[0]);
        byte[] anna = "anna:0123456789abcdef".getBytes(StandardCharsets.UTF_8);
        Files.writeString(file, "");
        token.look();
        Files.writeString(file, "anna:01");
        now[0] += TimeUnit.SECONDS.toNanos(2);
        assertThat(token.nameOf(anna)).as("half of it is written").isEqualTo("anna");
        now[0] += TimeUnit.SECONDS.toNanos(2);
        assertThat(token.nameOf(anna)).isEqualTo("anna");
        Files.writeString(file, "anna:0123456789abcdef");
        assertThat(token.nameOf(anna)).isEqualTo("anna");
    }

    @Test
    void aTokenBelongsToOne() throws IOException {
        String file = file("anna:0123456789abcdef\nbert:fedcba9876543210\ncarl:0123456789abcdef\n");
        assertThatThrownBy(() -> Token.ofServer(file))
                .hasMessage("token-file " + file + ": line 3 has the token of a line before it");
    }

    @Test
    void nobodyIsNamedAsEverybody() throws IOException {
        String file = file("*:0123456789abcdef\n");
        assertThatThrownBy(() -> Token.ofServer(file))
                .hasMessageStartingWith("token-file " + file + ": line 1: nobody can be named *");
        assertThatThrownBy(() -> Token.ofClient(file)).hasMessageContaining("named *");
    }

    @Test
    void aFileThatEverybodyMayReadIsWarnedOf() throws IOException {
        String file = file(TWO);
        assertThat(warnings(file)).isEmpty();
        Files.setPosixFilePermissions(Path.of(file), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(warnings(file))
                .containsExactly(
                        "token-file " + file + " can be read by every user of this machine");
    }

    private static List<String> warnings(String file) {
        try (LogLines lines = LogLines.warnings("io.github.flinkps.security")) {
            Token.ofServer(file);
            return lines.said();
        }
    }

    @Test
    void aSecretIsForItsOwnerOnly() throws IOException {
        Path file = Path.of(file(TWO));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }
}
