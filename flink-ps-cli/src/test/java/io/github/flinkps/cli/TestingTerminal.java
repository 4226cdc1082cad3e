package io.github.flinkps.cli;

import io.github.flinkps.cli.progress.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A terminal on which output and errors meet, and what a user sees on it. */
public final class TestingTerminal {
    private static final String CLEAR = "\033[K";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int columns;
    private final Terminal terminal;
    private final PrintWriter err;

    public TestingTerminal(int columns) {
        this.columns = columns;
        PrintStream screen = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        PrintWriter out = new PrintWriter(screen, true, StandardCharsets.UTF_8);
        this.terminal = Terminal.live(out, columns);
        this.err = new PrintWriter(terminal.guard(screen), true, StandardCharsets.UTF_8);
    }

    public Terminal terminal() {
        return terminal;
    }

    /** Standard error. */
    public PrintWriter err() {
        return err;
    }

    /** Runs a command on it and returns its exit code. */
    int run(String... arguments) {
        return Main.run(terminal, err, arguments);
    }

    /** All that was written. */
    public String written() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /**
     * Returns the lines that are on the screen now; the last one is empty if the cursor stands at
     * the beginning of a line.
     */
    public List<String> screen() {
        List<String> lines = new ArrayList<>();
        for (String line : written().split("\n", -1)) {
            lines.add(shown(line));
        }
        return lines;
    }

    private String shown(String line) {
        StringBuilder shown = new StringBuilder();
        int at = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\r') {
                at = 0;
            } else if (line.startsWith(CLEAR, i)) {
                shown.setLength(at);
                i += CLEAR.length() - 1;
            } else if (line.charAt(i) < ' ') {
                throw new AssertionError("control character " + (int) line.charAt(i));
            } else {
                shown.setLength(Math.max(shown.length(), at + 1));
                shown.setCharAt(at++, line.charAt(i));
            }
        }
        return shown.toString();
    }

    /** Each status that was shown, cut as it was. */
    public List<String> statuses() {
        List<String> statuses = new ArrayList<>();
        for (String piece : written().split("[\r\n]")) {
            if (piece.endsWith(CLEAR) && piece.length() > CLEAR.length()) {
                String status = piece.substring(0, piece.length() - CLEAR.length());
                if (status.length() >= columns) {
                    throw new AssertionError("would wrap: " + status);
                }
                statuses.add(status);
            }
        }
        return statuses;
    }
}
