package io.github.flinkps.flink.data;

/** The parser of {@link VwFormat}: one pass over the bytes, nothing allocated per row. */
final class VwParser implements RowParser {
    private static final byte BAR = '|';

    private final LabelParser head;
    private final FeatureHash hash;
    private final EntryScanner scanner = new EntryScanner();

    VwParser(Labels labels, int hashBits) {
        this.head = new LabelParser(labels);
        this.hash = new FeatureHash("", hashBits);
    }

    @Override
    public void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem {
        int at = EntryScanner.skipBlanks(buffer, from, to);
        if (at == to) {
            return;
        }
        int bar = find(buffer, BAR, at, to);
        if (bar == to) {
            throw new RowProblem(at, "the row has no |, after which features begin");
        }
        head(buffer, at, bar);
        while (bar < to) {
            int next = find(buffer, BAR, bar + 1, to);
            namespace(buffer, bar + 1, next, out);
            bar = next;
        }
        out.endRow(head.label(), head.weight());
    }

    /** Returns the first place of a byte, or {@code to}. */
    private static int find(byte[] b, byte wanted, int from, int to) {
        int at = from;
        while (at < to && b[at] != wanted) {
            at++;
        }
        return at;
    }

    /** Reads what stands before the first bar. A part that ends there is a tag. */
    private void head(byte[] b, int from, int bar) throws RowProblem {
        int labelEnd = EntryScanner.skipPart(b, from, bar);
        if (isTag(b, from, labelEnd, bar)) {
            head.none(from, "before its tag, or no blank between label and |");
            return;
        }
        head.read(b, from, labelEnd);
        int at = EntryScanner.skipBlanks(b, labelEnd, bar);
        int end = EntryScanner.skipPart(b, at, bar);
        if (isTag(b, at, end, bar)) {
            return;
        }
        EntryScanner.checkEnd(b, head.readWeight(b, at, end), end, "weight");
        at = EntryScanner.skipBlanks(b, end, bar);
        end = EntryScanner.skipPart(b, at, bar);
        if (!isTag(b, at, end, bar)) {
            throw new RowProblem(
                    at,
                    RowProblem.token(b, at, bar)
                            + " stands after label and weight, where no more than a tag may be:"
                            + " initial predictions are not supported");
        }
    }

    /** Returns whether a part is a tag, or nothing. */
    private static boolean isTag(byte[] b, int from, int end, int bar) {
        return from == end || end == bar || b[from] == '\'';
    }

    private void namespace(byte[] b, int from, int to, RowBatchBuilder out) throws RowProblem {
        int end = EntryScanner.skipPart(b, from, to);
        int colon = find(b, (byte) ':', from, end);
        float scale = colon < end ? scanner.value(b, colon + 1, end) : 1f;
        hash.column(b, from, colon);
        for (int at = EntryScanner.skipBlanks(b, end, to);
                at < to;
                at = EntryScanner.skipBlanks(b, end, to)) {
            end = EntryScanner.skipPart(b, at, to);
            int nameEnd = find(b, (byte) ':', at, end);
            if (nameEnd == at) {
                throw new RowProblem(
                        at, "feature " + RowProblem.token(b, at, end) + " has no name");
            }
            float value = nameEnd < end ? scanner.value(b, nameEnd + 1, end) : 1f;
            float scaled = value * scale;
            if (!Float.isFinite(scaled)) {
                throw new RowProblem(
                        at,
                        "value "
                                + RowProblem.token(b, at, end)
                                + " times its namespace's "
                                + scale
                                + " is beyond the range of float");
            }
            out.add(hash.begin().add(b, at, nameEnd).key(), scaled);
        }
    }
}
