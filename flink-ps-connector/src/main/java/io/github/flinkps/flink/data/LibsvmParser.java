package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The parser of {@link LibsvmFormat}: one pass over the bytes, nothing allocated per row. */
final class LibsvmParser implements RowParser {
    private static final int MOST_SAFE_DIGITS = 18;

    private final Labels labels;

    /** The texts that stand for the labels; null if the labels are numbers. */
    private final LabelNames names;

    private final long features;
    private final long lastIndex;
    private final FloatScanner number = new FloatScanner();
    private long[] keys = new long[64];
    private float[] values = new float[64];
    private long[] sorted = new long[64];

    /** The values again, as they are before they are rounded; null if nobody asks. */
    private double[] exact;

    /** True if all values of the row read last are 1. */
    private boolean ones;

    /** Label and weight of the row read last. */
    private float label;

    private float weight;

    /** The end of the index read last. */
    private int indexEnd;

    /**
     * @param exact whether {@link #exact} will be asked
     */
    LibsvmParser(Labels labels, long features, boolean exact) {
        this.labels = labels;
        this.names = labels.names().isEmpty() ? null : new LabelNames(labels.names());
        this.exact = exact ? new double[values.length] : null;
        this.features = features;
        this.lastIndex = features == LibsvmFormat.ANY_INDEX ? Long.MAX_VALUE : features - 1;
    }

    @Override
    public void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem {
        int at = skipBlanks(buffer, from, to);
        if (ends(buffer, at, to)) {
            return;
        }
        at = labels.kind() == Labels.Kind.ANY ? anyLabel(buffer, at, to) : labels(buffer, at, to);
        at = skipBlanks(buffer, at, to);
        int count = entries(buffer, at, to);
        out.addRow(keys, ones ? null : values, count, label, weight);
    }

    /** Reads label and weight of a row, which must have a label; returns where they end. */
    private int labels(byte[] buffer, int from, int to) throws RowProblem {
        weight = 1f;
        int at = names == null ? label(buffer, from, to) : namedLabel(buffer, from, to);
        if (at < to && buffer[at] == ':') {
            weight = weight(buffer, at + 1, to);
            at = number.end();
        }
        checkEnd(buffer, at, to, "label");
        return at;
    }

    /** Reads whatever stands where the label should, but csv; returns where it ends. */
    private int anyLabel(byte[] buffer, int from, int to) throws RowProblem {
        float read = number.scan(buffer, from, to);
        int at = number.end();
        boolean told = at > from && (at >= to || isBlank(buffer[at]) || buffer[at] == ':');
        label = told ? labels.map(read) : Float.NaN;
        weight = 1f;
        for (; !endsAt(buffer, at, to); at++) {
            if (buffer[at] == ',') {
                throw noLabel(buffer, from, to);
            }
        }
        return at;
    }

    /** Returns the value of an entry of the row read last, correctly rounded to double. */
    double exact(int entry) {
        return exact[entry];
    }

    /** Reads entries into {@code keys} and {@code values}; returns their number. */
    private int entries(byte[] buffer, int from, int to) throws RowProblem {
        int at = from;
        int count = 0;
        long last = -1;
        boolean ascending = true;
        boolean allOnes = true;
        long[] rowKeys = keys;
        float[] rowValues = values;
        while (at < to && buffer[at] != '#') {
            long index = index(buffer, at, to);
            ascending &= index > last;
            last = index;
            if (count == rowKeys.length) {
                grow();
                rowKeys = keys;
                rowValues = values;
            }
            float value = 1f;
            double unrounded = 1;
            at = indexEnd + 1;
            if (at < to && buffer[at] == '1' && endsAt(buffer, at + 1, to)) {
                at++;
            } else {
                value = value(buffer, at, to);
                if (exact != null) {
                    unrounded = number.exact(buffer, at);
                }
                allOnes &= value == 1f;
                at = number.end();
            }
            rowKeys[count] = index;
            rowValues[count] = value;
            if (exact != null) {
                exact[count] = unrounded;
            }
            count++;
            while (at < to && isBlank(buffer[at])) {
                at++;
            }
        }
        ones = allOnes;
        if (!ascending) {
            checkUnique(buffer, from, to, count);
        }
        return count;
    }

    private void grow() {
        keys = Arrays.copyOf(keys, 2 * keys.length);
        values = Arrays.copyOf(values, keys.length);
        if (exact != null) {
            exact = Arrays.copyOf(exact, keys.length);
        }
        if (keys.length > RowBatch.MAX_ENTRIES) {
            throw new IllegalStateException(
                    "a row can have at most " + RowBatch.MAX_ENTRIES / 2 + " entries");
        }
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

    /** Reads a label that is a number; returns where it ends. */
    private int label(byte[] b, int at, int to) throws RowProblem {
        float read = number.scan(b, at, to);
        if (number.end() == at) {
            throw noLabel(b, at, to);
        }
        label = labels.map(read);
        if (Float.isNaN(label)) {
            throw outOfRange(b, at, to);
        }
        return number.end();
    }

    /** Reads a label that has a name; returns where it ends. */
    private int namedLabel(byte[] b, int from, int to) throws RowProblem {
        int end = from;
        while (!endsAt(b, end, to) && b[end] != ':') {
            end++;
        }
        int found = names.find(b, from, end);
        if (found == LabelNames.NONE) {
            throw outOfRange(b, from, to);
        }
        label = found;
        return end;
    }

    private RowProblem outOfRange(byte[] b, int at, int to) {
        String token = RowProblem.token(b, at, to);
        return new RowProblem(at, "label " + token + " " + LabelNames.refusal(labels));
    }

    private RowProblem noLabel(byte[] b, int at, int to) {
        String token = RowProblem.token(b, at, to);
        String hint =
                token.indexOf(',') < 0
                        ? LabelNames.hint(labels)
                        : "; if this is csv, say so by its format";
        return new RowProblem(at, "label " + token + " is not a number" + hint);
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
        int at = from;
        long index = 0;
        if (from + Long.BYTES <= b.length) {
            long word = Swar.load(b, from);
            int digits = Swar.digits(word);
            if (digits > 0) {
                index = Swar.number(word, digits);
                at += digits;
            }
        }
        if (at > to || at - from == Long.BYTES || from + Long.BYTES > b.length) {
            at = from;
            index = 0;
            while (at < to && FloatScanner.isDigit(b[at])) {
                index = index * 10 + (b[at++] - '0');
            }
        }
        if (at == from || at >= to || b[at] != ':') {
            throw badIndex(b, from, at, to);
        }
        if (at - from > MOST_SAFE_DIGITS) {
            index = longIndex(b, from, at);
        }
        if (index > lastIndex) {
            throw new RowProblem(
                    from,
                    "feature index "
                            + index
                            + " is beyond the "
                            + features
                            + " features (0 to "
                            + lastIndex
                            + "), as --features or the model says");
        }
        indexEnd = at;
        return index;
    }

    /** Returns the index {@code b[from, to)} of so many digits that it may be too large. */
    private static long longIndex(byte[] b, int from, int to) throws RowProblem {
        try {
            return Long.parseLong(new String(b, from, to - from, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) {
            throw new RowProblem(
                    from, "feature index " + RowProblem.token(b, from, to) + " is too large");
        }
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

    /** Checks that no index occurs twice: the slow way, for rows whose indices do not ascend. */
    private void checkUnique(byte[] b, int from, int to, int count) throws RowProblem {
        if (sorted.length < count) {
            sorted = new long[keys.length];
        }
        System.arraycopy(keys, 0, sorted, 0, count);
        Arrays.sort(sorted, 0, count);
        for (int i = 1; i < count; i++) {
            if (sorted[i] == sorted[i - 1]) {
                int at = secondPlace(b, from, to, sorted[i]);
                throw new RowProblem(at, "feature index " + sorted[i] + " occurs twice in the row");
            }
        }
    }

    /** Returns where an index occurs for the second time among entries known to be well formed. */
    private int secondPlace(byte[] b, int from, int to, long wanted) throws RowProblem {
        int found = 0;
        int at = from;
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
