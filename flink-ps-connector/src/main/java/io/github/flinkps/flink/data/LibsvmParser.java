package io.github.flinkps.flink.data;

import java.util.Arrays;

/** The parser of {@link LibsvmFormat}: one pass over the bytes, nothing allocated per row. */
final class LibsvmParser implements RowParser {
    /** Below this a further digit cannot overflow. */
    private static final long SAFE_INDEX = Long.MAX_VALUE / 10;

    private final LabelKind labels;
    private final long features;
    private final long lastIndex;
    private final FloatScanner number = new FloatScanner();
    private long[] sorted = new long[64];

    /** Where the index read last ends. */
    private int indexEnd;

    LibsvmParser(LabelKind labels, long features) {
        this.labels = labels;
        this.features = features;
        this.lastIndex = features == LibsvmFormat.ANY_INDEX ? Long.MAX_VALUE : features - 1;
    }

    @Override
    public void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem {
        int at = skipBlanks(buffer, from, to);
        if (ends(buffer, at, to)) {
            return;
        }
        float label = label(buffer, at, to);
        at = number.end();
        float weight = 1f;
        if (at < to && buffer[at] == ':') {
            weight = weight(buffer, at + 1, to);
            at = number.end();
        }
        checkEnd(buffer, at, to, "label");
        at = skipBlanks(buffer, at, to);
        long last = -1;
        boolean ascending = true;
        while (!ends(buffer, at, to)) {
            long index = index(buffer, at, to);
            ascending &= index > last;
            last = index;
            int start = indexEnd + 1;
            if (start < to && buffer[start] == '1' && endsAt(buffer, start + 1, to)) {
                out.add(index, 1f);
                at = start + 1;
            } else {
                out.add(index, value(buffer, start, to));
                at = number.end();
            }
            at = skipBlanks(buffer, at, to);
        }
        if (!ascending) {
            checkUnique(buffer, from, to, out);
        }
        out.endRow(label, weight);
    }

    private static int skipBlanks(byte[] b, int from, int to) {
        int at = from;
        while (at < to && isBlank(b[at])) {
            at++;
        }
        return at;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    private static boolean ends(byte[] b, int at, int to) {
        return at >= to || b[at] == '#';
    }

    private static boolean endsAt(byte[] b, int at, int to) {
        return at >= to || isBlank(b[at]);
    }

    private float label(byte[] b, int at, int to) throws RowProblem {
        float read = number.scan(b, at, to);
        if (number.end() == at) {
            throw new RowProblem(at, "label " + RowProblem.token(b, at, to) + " is not a number");
        }
        float label = labels.map(read);
        if (Float.isNaN(label)) {
            throw new RowProblem(
                    at,
                    "label "
                            + RowProblem.token(b, at, to)
                            + " is out of range: it must be "
                            + labels.range());
        }
        return label;
    }

    private float weight(byte[] b, int at, int to) throws RowProblem {
        float weight = number.scan(b, at, to);
        if (number.end() == at || !(weight >= 0) || !Float.isFinite(weight)) {
            throw new RowProblem(
                    at,
                    "row weight "
                            + RowProblem.token(b, at, to)
                            + " must be a finite number of at least 0");
        }
        return weight;
    }

    private static void checkEnd(byte[] b, int at, int to, String what) throws RowProblem {
        if (!endsAt(b, at, to)) {
            throw new RowProblem(
                    at, RowProblem.token(b, at, to) + " after the " + what + " is not understood");
        }
    }

    private long index(byte[] b, int from, int to) throws RowProblem {
        long index = 0;
        int at = from;
        while (at < to) {
            int digit = b[at] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            if (index >= SAFE_INDEX && (index > SAFE_INDEX || digit > 7)) {
                throw new RowProblem(
                        from, "feature index " + RowProblem.token(b, from, to) + " is too large");
            }
            index = index * 10 + digit;
            at++;
        }
        if (at == from || at >= to || b[at] != ':') {
            throw badIndex(b, from, at, to);
        }
        if (index > lastIndex) {
            throw new RowProblem(
                    from,
                    "feature index "
                            + index
                            + " is beyond the "
                            + features
                            + " features (0 to "
                            + (features - 1)
                            + ")");
        }
        indexEnd = at;
        return index;
    }

    private static RowProblem badIndex(byte[] b, int from, int at, int to) {
        String token = RowProblem.token(b, from, to);
        if (at == from && b[from] == '-' && from + 1 < to && FloatScanner.isDigit(b[from + 1])) {
            return new RowProblem(from, "feature index in " + token + " is negative");
        }
        return new RowProblem(from, token + " is not index:value");
    }

    private float value(byte[] b, int from, int to) throws RowProblem {
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

    private static boolean isNonFiniteWord(byte[] b, int from, int to) {
        int at = from < to && (b[from] == '-' || b[from] == '+') ? from + 1 : from;
        return at + 2 < to
                && ((b[at] | 0x20) == 'n' && (b[at + 1] | 0x20) == 'a' && (b[at + 2] | 0x20) == 'n'
                        || (b[at] | 0x20) == 'i'
                                && (b[at + 1] | 0x20) == 'n'
                                && (b[at + 2] | 0x20) == 'f');
    }

    /** The slow way, for rows whose indices do not ascend. */
    private void checkUnique(byte[] b, int from, int to, RowBatchBuilder out) throws RowProblem {
        int count = out.openEntries();
        int first = out.entries() - count;
        if (sorted.length < count) {
            sorted = new long[Math.max(count, 2 * sorted.length)];
        }
        for (int i = 0; i < count; i++) {
            sorted[i] = out.key(first + i);
        }
        Arrays.sort(sorted, 0, count);
        for (int i = 1; i < count; i++) {
            if (sorted[i] == sorted[i - 1]) {
                int at = secondPlace(b, from, to, sorted[i]);
                throw new RowProblem(at, "feature index " + sorted[i] + " occurs twice in the row");
            }
        }
    }

    /** Where an index occurs for the second time, in a row known to be well formed. */
    private int secondPlace(byte[] b, int from, int to, long wanted) throws RowProblem {
        int found = 0;
        int at = skipBlanks(b, from, to);
        while (!endsAt(b, at, to)) {
            at++;
        }
        at = skipBlanks(b, at, to);
        while (!ends(b, at, to)) {
            if (index(b, at, to) == wanted && ++found == 2) {
                return at;
            }
            while (!endsAt(b, at, to)) {
                at++;
            }
            at = skipBlanks(b, at, to);
        }
        return from;
    }
}
