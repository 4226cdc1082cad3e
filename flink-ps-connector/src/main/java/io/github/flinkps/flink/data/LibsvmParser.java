package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The parser of {@link LibsvmFormat} and {@link LibffmFormat}: one pass over the bytes, nothing
 * allocated per row.
 */
final class LibsvmParser implements RowParser {
    /** Says that entries have no fields. */
    static final int NO_FIELDS = 0;

    /** Says that the fields of entries do not matter: each has an index of its own. */
    static final int ANY_FIELDS = -1;

    private static final int MOST_SAFE_DIGITS = 18;

    private final LabelParser head;
    private final long features;
    private final int fields;
    private final long lastIndex;
    private final EntryScanner scanner = new EntryScanner();
    private long[] keys = new long[64];
    private float[] values = new float[64];
    private long[] sorted = new long[64];

    /** The values again, as they are before they are rounded; null if nobody asks. */
    private double[] exact;

    /** True if all values of the row read last are 1. */
    private boolean ones;

    /** The end of the index read last. */
    private int indexEnd;

    /**
     * @param exact whether {@link #exact} will be asked
     */
    LibsvmParser(Labels labels, long features, boolean exact) {
        this(labels, features, exact, NO_FIELDS);
    }

    /**
     * @param fields number of fields, or one of the constants
     */
    LibsvmParser(Labels labels, long features, boolean exact, int fields) {
        this.head = new LabelParser(labels);
        this.fields = fields;
        this.exact = exact ? new double[values.length] : null;
        this.features = features;
        this.lastIndex = features == LibsvmFormat.ANY_INDEX ? Long.MAX_VALUE : features - 1;
    }

    @Override
    public void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem {
        int at = EntryScanner.skipBlanks(buffer, from, to);
        if (ends(buffer, at, to)) {
            return;
        }
        at = EntryScanner.skipBlanks(buffer, head.read(buffer, at, to), to);
        int count = entries(buffer, at, to);
        out.addRow(keys, ones ? null : values, count, head.label(), head.weight());
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
            long index = fields == NO_FIELDS ? index(buffer, at, to) : key(buffer, at, to);
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
            if (at < to && buffer[at] == '1' && EntryScanner.endsAt(buffer, at + 1, to)) {
                at++;
            } else {
                value = scanner.value(buffer, at, to);
                if (exact != null) {
                    unrounded = scanner.exact(buffer, at);
                }
                allOnes &= value == 1f;
                at = scanner.end();
            }
            rowKeys[count] = index;
            rowValues[count] = value;
            if (exact != null) {
                exact[count] = unrounded;
            }
            count++;
            at = EntryScanner.skipBlanks(buffer, at, to);
        }
        ones = allOnes;
        if (!ascending && fields == NO_FIELDS) {
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

    private static boolean ends(byte[] b, int at, int to) {
        return at >= to || b[at] == '#';
    }

    /** Returns the key of {@code field:index}. */
    private long key(byte[] b, int from, int to) throws RowProblem {
        long field = index(b, from, to);
        long index = index(b, indexEnd + 1, to);
        if (fields == ANY_FIELDS) {
            return index;
        }
        if (field >= fields) {
            throw new RowProblem(
                    from,
                    "field "
                            + field
                            + " is beyond the "
                            + fields
                            + " fields (0 to "
                            + (fields - 1)
                            + "), as --fields or the model says");
        }
        if (index > Long.MAX_VALUE / fields - 1) {
            throw new RowProblem(from, "feature index " + index + " is too large");
        }
        return index * fields + field;
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
                            + "), as --features, --key-bits or the model says");
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

    private RowProblem badIndex(byte[] b, int from, int at, int to) {
        String token = RowProblem.token(b, from, to);
        if (at == from && b[from] == '-' && from + 1 < to && FloatScanner.isDigit(b[from + 1])) {
            return new RowProblem(from, "feature index in " + token + " is negative");
        }
        String shape = fields == NO_FIELDS ? "index:value" : "field:index:value";
        String hint =
                token.indexOf('|') < 0
                        ? ""
                        : "; if this is the format of Vowpal Wabbit, say so by its format, vw";
        return new RowProblem(from, token + " is not " + shape + hint);
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
            at = EntryScanner.skipBlanks(b, EntryScanner.skipPart(b, at, to), to);
        }
        return from;
    }
}
