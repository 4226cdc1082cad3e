package io.github.flinkps.flink.data;

/** Reads the labels and weights of lines. Belongs to one thread. */
final class LabelParser {
    private final Labels labels;

    /** The texts that stand for the labels; null if the labels are numbers. */
    private final LabelNames names;

    private final FloatScanner number = new FloatScanner();
    private float label;
    private float weight;

    LabelParser(Labels labels) {
        this.labels = labels;
        this.names = labels.names().isEmpty() ? null : new LabelNames(labels.names());
    }

    /** Returns the label read last, NaN if there was none. */
    float label() {
        return label;
    }

    /** Returns the weight read last, 1 if there was none. */
    float weight() {
        return weight;
    }

    /**
     * Reads {@code label} or {@code label:weight}; returns where it ends.
     *
     * @throws RowProblem if this is no label, unless nobody looks at labels
     */
    int read(byte[] b, int from, int to) throws RowProblem {
        weight = 1f;
        if (labels.kind() == Labels.Kind.ANY) {
            return anything(b, from, to);
        }
        int at = names == null ? plain(b, from, to) : named(b, from, to);
        if (at < to && b[at] == ':') {
            at = readWeight(b, at + 1, to);
        }
        EntryScanner.checkEnd(b, at, to, "label");
        return at;
    }

    /** Reads a weight; returns where it ends. */
    int readWeight(byte[] b, int at, int to) throws RowProblem {
        weight = number.scan(b, at, to);
        if (number.end() == at || !(weight >= 0) || !Float.isFinite(weight)) {
            throw new RowProblem(
                    at,
                    "row weight "
                            + RowProblem.token(b, at, to)
                            + " must be a finite number of at least 0");
        }
        return number.end();
    }

    /**
     * Takes note that a row has no label.
     *
     * @param at where it should stand
     * @param where the same, for people
     * @throws RowProblem unless nobody looks at labels
     */
    void none(int at, String where) throws RowProblem {
        if (labels.kind() != Labels.Kind.ANY) {
            throw new RowProblem(at, "the row has no label " + where);
        }
        label = Float.NaN;
        weight = 1f;
    }

    /** Reads whatever stands where the label should, but csv; returns where it ends. */
    private int anything(byte[] b, int from, int to) throws RowProblem {
        float read = number.scan(b, from, to);
        int at = number.end();
        boolean told = at > from && (EntryScanner.endsAt(b, at, to) || b[at] == ':');
        label = told ? labels.map(read) : Float.NaN;
        for (; !EntryScanner.endsAt(b, at, to); at++) {
            if (b[at] == ',') {
                throw noLabel(b, from, to);
            }
        }
        return at;
    }

    private int plain(byte[] b, int at, int to) throws RowProblem {
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

    private int named(byte[] b, int from, int to) throws RowProblem {
        int end = from;
        while (!EntryScanner.endsAt(b, end, to) && b[end] != ':') {
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
}
