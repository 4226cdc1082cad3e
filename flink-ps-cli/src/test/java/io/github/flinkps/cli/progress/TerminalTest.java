package io.github.flinkps.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.cli.TestingTerminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
    private final TestingTerminal testing = new TestingTerminal(30);
    private final Terminal terminal = testing.terminal();

    @Test
    void rewritesTheStatusInPlaceAndPrintsLinesAboveIt() {
        terminal.status("a rather long first status");
        terminal.status("short");
        assertThat(testing.screen()).containsExactly("short");
        terminal.line("a line that stays");
        terminal.status("x".repeat(100));
        assertThat(testing.screen()).containsExactly("a line that stays", "x".repeat(29));
        terminal.clear();
        terminal.clear();
        assertThat(testing.screen()).containsExactly("a line that stays", "");
    }

    @Test
    void errorsTakeThePlaceOfTheStatus() {
        terminal.status("50 %");
        testing.err().print("WARN half ");
        testing.err().flush();
        terminal.status("60 %");
        testing.err().println("a line");
        terminal.status("70 %");
        assertThat(testing.screen()).containsExactly("WARN half a line", "70 %");
        testing.err().println("failed");
        assertThat(testing.screen()).containsExactly("WARN half a line", "failed", "");
    }

    @Test
    void hasNoStatusOnceClosed() {
        terminal.status("50 %");
        terminal.close();
        terminal.status("60 %");
        terminal.line("bye");
        assertThat(testing.screen()).containsExactly("bye", "");
    }

    @Test
    void elsewhereThereAreLinesOnly() {
        StringWriter out = new StringWriter();
        Terminal plain = Terminal.plain(new PrintWriter(out));
        plain.status("50 %");
        plain.line("a line");
        plain.clear();
        plain.close();
        assertThat(plain.isLive()).isFalse();
        assertThat(out).hasToString("a line" + System.lineSeparator());
    }

    @Test
    void isNoneIfItCanOnlyPrint() {
        PrintWriter out = new PrintWriter(new StringWriter());
        assertThat(Terminal.detect(out, Map.of("TERM", "dumb")).isLive()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"132, 132", "' 90 ', 90", "0, 80", "-4, 80", "wide, 80", "'', 80"})
    void isAsWideAsTheEnvironmentSays(String set, int columns) {
        assertThat(Terminal.columns(Map.of("COLUMNS", set))).isEqualTo(columns);
        assertThat(Terminal.columns(Map.of())).isEqualTo(80);
    }
}
