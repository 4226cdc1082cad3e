package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts a line of CSV into fields; see {@link CsvRecipe}. Keeps its arrays; belongs to one thread.
 */
final class CsvFields {
    private static final byte QUOTE = '"';

    private final byte delimiter;
    private int count;
    private int[] from = new int[64];
    private int[] to = new int[64];

    /**
     * The arrays that hold the bytes of each field: the line, or {@link #plain} for quotes written
     * twice.
     */
    private byte[][] bytes = new byte[64][];

    private byte[] plain = new byte[256];
    private int plainEnd;

    CsvFields(byte delimiter) {
        this.delimiter = delimiter;
    }

    int count() {
        return count;
    }

    byte[] bytes(int field) {
        return bytes[field];
    }

    int from(int field) {
        return from[field];
    }

    int to(int field) {
        return to[field];
    }

    boolean isEmpty(int field) {
        return from[field] == to[field];
    }

    String text(int field) {
        return new String(
                bytes[field], from[field], to[field] - from[field], StandardCharsets.UTF_8);
    }

    /**
     * Splits {@code line[first, end)}, where blanks at the end are left out before, into fields.
     *
     * @throws RowProblem for a quote left open, or text behind one that closes
     */
    void split(byte[] line, int first, int end) throws RowProblem {
        count = 0;
        plainEnd = 0;
        int at = first;
        while (true) {
            while (at < end && isBlank(line[at])) {
                at++;
            }
            reserve();
            at = at < end && line[at] == QUOTE ? quoted(line, at, end) : unquoted(line, at, end);
            count++;
            if (at >= end) {
                return;
            }
            at++;
        }
    }

    private boolean isBlank(byte b) {
        return (b == ' ' || b == '\t') && b != delimiter;
    }

    private int unquoted(byte[] line, int first, int end) {
        int at = first;
        while (at < end && line[at] != delimiter) {
            at++;
        }
        int last = at;
        while (last > first && isBlank(line[last - 1])) {
            last--;
        }
        bytes[count] = line;
        from[count] = first;
        to[count] = last;
        return at;
    }

    private int quoted(byte[] line, int first, int end) throws RowProblem {
        int at = first + 1;
        boolean doubled = false;
        while (at < end && (line[at] != QUOTE || at + 1 < end && line[at + 1] == QUOTE)) {
            doubled |= line[at] == QUOTE;
            at += line[at] == QUOTE ? 2 : 1;
        }
        if (at >= end) {
            throw new RowProblem(first, "the quote is left open");
        }
        if (doubled) {
            copyPlain(line, first + 1, at);
        } else {
            bytes[count] = line;
            from[count] = first + 1;
            to[count] = at;
        }
        at++;
        while (at < end && isBlank(line[at])) {
            at++;
        }
        if (at < end && line[at] != delimiter) {
            throw new RowProblem(at, "text stands behind the quote that closes");
        }
        return at;
    }

    private void copyPlain(byte[] line, int first, int end) {
        if (plain.length - plainEnd < end - first) {
            // Fields before stay where they are, in the old array.
            plain = new byte[Math.max(2 * plain.length, end - first)];
            plainEnd = 0;
        }
        bytes[count] = plain;
        from[count] = plainEnd;
        for (int i = first; i < end; i++) {
            plain[plainEnd++] = line[i];
            i += line[i] == QUOTE ? 1 : 0;
        }
        to[count] = plainEnd;
    }

    private void reserve() {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
            bytes = Arrays.copyOf(bytes, 2 * count);
        }
    }
}
