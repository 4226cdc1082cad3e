package io.github.flinkps.cli.progress;

import java.io.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.util.Map;

/**
 * Standard output. On a terminal it has, below what has been printed, a status that is rewritten in
 * place; elsewhere there is none, and no control character is ever written. Thread-safe.
 */
public final class Terminal {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int LEAST_COLUMNS = 20;
    private static final String CLEAR = "\r\033[K";

    private final PrintWriter out;
    private final int columns;
    private boolean drawn;
    private boolean otherLineOpen;
    private boolean closed;

    private Terminal(PrintWriter out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    /** Returns an output without a status: a file or a pipe. */
    public static Terminal plain(PrintWriter out) {
        return new Terminal(out, 0);
    }

    /** Returns a terminal of so many columns. */
    public static Terminal live(PrintWriter out, int columns) {
        return new Terminal(out, Math.max(LEAST_COLUMNS, columns));
    }

    /**
     * Returns what this process writes to.
     *
     * @param out prints to standard output
     * @param environment of the process: {@code COLUMNS} is the width, and {@code TERM} may say
     *     that the terminal can only print
     */
    public static Terminal detect(PrintWriter out, Map<String, String> environment) {
        boolean dumb = "dumb".equals(environment.get("TERM"));
        return isTerminal() && !dumb ? live(out, columns(environment)) : plain(out);
    }

    /**
     * Returns whether there is a terminal. Since Java 22 there is a console without one, and it
     * says so.
     */
    @SuppressWarnings("SystemConsoleNull") // as it is before
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }

    static int columns(Map<String, String> environment) {
        try {
            int columns = Integer.parseInt(environment.getOrDefault("COLUMNS", "").trim());
            return columns > 0 ? columns : DEFAULT_COLUMNS;
        } catch (NumberFormatException e) {
            return DEFAULT_COLUMNS;
        }
    }

    /** Returns whether it has a status. */
    public boolean isLive() {
        return columns > 0;
    }

    /**
     * Returns the longest status that is not cut; the last column stays free, lest the line wraps.
     */
    public int width() {
        return columns - 1;
    }

    /** Returns the writer for all else, to be used while no status is shown; see {@link #clear}. */
    public PrintWriter out() {
        return out;
    }

    /** Rewrites the status; nothing where there is none. */
    public synchronized void status(String text) {
        if (!isLive() || closed || otherLineOpen) {
            return;
        }
        String cut = text.length() > width() ? text.substring(0, width()) : text;
        out.print("\r" + cut + "\033[K");
        out.flush();
        drawn = true;
    }

    /** Prints a line that stays, in the place of the status. */
    public synchronized void line(String text) {
        clear();
        out.println(text);
        out.flush();
    }

    /** Takes the status away. */
    public synchronized void clear() {
        if (drawn) {
            out.print(CLEAR);
            out.flush();
            drawn = false;
        }
    }

    /** Takes the status away for good: the process is told to end. */
    public synchronized void close() {
        clear();
        closed = true;
    }

    /**
     * Wraps standard error of a process whose output is this terminal. What is written to it takes
     * the place of the status, which comes back once the line is whole.
     */
    public PrintStream guard(PrintStream err) {
        OutputStream guarding =
                new OutputStream() {
                    @Override
                    public void write(int value) throws IOException {
                        write(new byte[] {(byte) value}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        if (length > 0) {
                            writeOther(err, bytes, from, length);
                        }
                    }

                    @Override
                    public void flush() {
                        err.flush();
                    }
                };
        return new PrintStream(guarding, true, Charset.defaultCharset());
    }

    private synchronized void writeOther(PrintStream err, byte[] bytes, int from, int length) {
        clear();
        otherLineOpen = bytes[from + length - 1] != '\n';
        err.write(bytes, from, length);
        err.flush();
    }
}
