package io.github.flinkps.flink.data;

/** Reads the parts of a line, which blanks keep apart. Belongs to one thread. */
final class EntryScanner {
    private final FloatScanner number = new FloatScanner();

    static boolean isBlank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    /** Returns the first place from {@code from} on that is no blank, at most {@code to}. */
    static int skipBlanks(byte[] b, int from, int to) {
        int at = from;
        while (at < to && isBlank(b[at])) {
            at++;
        }
        return at;
    }

    /** Returns the first place from {@code from} on that is a blank, at most {@code to}. */
    static int skipPart(byte[] b, int from, int to) {
        int at = from;
        while (!endsAt(b, at, to)) {
            at++;
        }
        return at;
    }

    static boolean endsAt(byte[] b, int at, int to) {
        return at >= to || isBlank(b[at]);
    }

    static void checkEnd(byte[] b, int at, int to, String what) throws RowProblem {
        if (!endsAt(b, at, to)) {
            String hint = b[at] == ':' ? "; if this is libffm, say so by its format" : "";
            throw new RowProblem(
                    at,
                    RowProblem.token(b, at, to)
                            + " after the "
                            + what
                            + " is not understood"
                            + hint);
        }
    }

    /** Reads a finite value that ends its part; it ends at {@link #end}. */
    float value(byte[] b, int from, int to) throws RowProblem {
        float value = number.scan(b, from, to);
        if (number.end() == from) {
            String token = RowProblem.token(b, from, to);
            throw new RowProblem(
                    from,
                    "value "
                            + token
                            + (isNonFiniteWord(b, from, to)
                                    ? " is not finite"
                                    : " is not a number"));
        }
        if (!Float.isFinite(value)) {
            throw new RowProblem(
                    from,
                    "value " + RowProblem.token(b, from, to) + " is beyond the range of float");
        }
        checkEnd(b, number.end(), to, "value");
        return value;
    }

    /** Returns where the value read last ends. */
    int end() {
        return number.end();
    }

    /** Returns the value read last, which began at {@code from}, correctly rounded to double. */
    double exact(byte[] b, int from) {
        return number.exact(b, from);
    }

    private static boolean isNonFiniteWord(byte[] b, int from, int to) {
        int at = from < to && (b[from] == '-' || b[from] == '+') ? from + 1 : from;
        return at + 2 < to
                && ((b[at] | 0x20) == 'n' && (b[at + 1] | 0x20) == 'a' && (b[at + 2] | 0x20) == 'n'
                        || (b[at] | 0x20) == 'i'
                                && (b[at + 1] | 0x20) == 'n'
                                && (b[at + 2] | 0x20) == 'f');
    }
}
