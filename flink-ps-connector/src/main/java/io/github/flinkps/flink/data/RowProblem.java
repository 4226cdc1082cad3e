package io.github.flinkps.flink.data;

/**
 * The fault that a parser finds in a row, with a place relative to the row: its reader knows file
 * and line. Has no stack trace, as rows may be skipped by the million.
 */
public final class RowProblem extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_TOKEN = 40;

    private final int at;

    /**
     * @param at index, in the buffer that was parsed, of the first byte in question
     */
    public RowProblem(int at, String problem) {
        super(problem, null, false, false);
        this.at = at;
    }

    /** Returns where the trouble begins, as an index into the buffer that was parsed. */
    public int at() {
        return at;
    }

    /**
     * Returns the text from {@code from} up to white space or {@code to}, quoted, shortened, fit to
     * print.
     */
    public static String token(byte[] buffer, int from, int to) {
        StringBuilder text = new StringBuilder("'");
        for (int i = from; i < to && buffer[i] > ' ' || i < to && buffer[i] < 0; i++) {
            if (i - from == LONGEST_TOKEN) {
                return text.append("...'").toString();
            }
            int c = buffer[i] & 0xff;
            if (c < 0x7f) {
                text.append((char) c);
            } else {
                text.append("\\x").append(Integer.toHexString(c));
            }
        }
        return text.append('\'').toString();
    }
}
