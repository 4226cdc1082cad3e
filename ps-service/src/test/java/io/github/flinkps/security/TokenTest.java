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

    @Test
    void aTokenBelongsToOne() throws IOException {
        String file = file("anna:0123456789abcdef\nbert:fedcba9876543210\ncarl:0123456789abcdef\n");
        assertThatThrownBy(() -> Token.ofServer(file))
                .hasMessage("token-file " + file + ": line 3: carl has the same token as anna");
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
