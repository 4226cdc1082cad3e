package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The parser of {@link CsvFormat}. */
final class CsvParser implements RowParser {
    private static final String NO_NUMBER =
            "; texts that stand for none are named by --missing, and --on-bad-row skip leaves such"
                    + " rows out";

    private static final int NONE = -1;

    private final CsvRecipe recipe;
    private final Labels labels;
    private final CsvFields fields;
    private final FloatScanner number = new FloatScanner();
    private final int label;
    private final int weight;

    /** The texts that stand for the labels; null if the labels are numbers. */
    private final LabelNames names;

    private final Column[] features;
    private final byte[][] missing;

    /** The numbers of the row that is being scanned; NaN for a missing one. */
    private final double[] numbers;

    CsvParser(CsvRecipe recipe, Labels labels) {
        this.recipe = recipe;
        this.labels = labels;
        this.fields = new CsvFields((byte) recipe.delimiter().charAt(0));
        this.label = index(recipe.label());
        this.weight = index(recipe.weight());
        this.names = labels.names().isEmpty() ? null : new LabelNames(labels.names());
        this.features = recipe.features().stream().map(this::column).toArray(Column[]::new);
        this.missing =
                recipe.missing().stream()
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
        this.numbers = new double[recipe.numeric().size()];
    }

    private int index(String column) {
        return column == null ? NONE : recipe.columns().indexOf(column);
    }

    /** A feature: the positions of its columns, and the keys it has of its own. */
    private record Column(
            int[] positions,
            NumericScale scale,
            FeatureHash hash,
            long missingKey,
            long numberKey,
            long[] bucketKeys) {}

    private Column column(CsvFeature feature) {
        List<String> names = feature.columns();
        FeatureHash hash = new FeatureHash(feature.name(), recipe.hashBits());
        NumericScale scale = feature.scale();
        boolean buckets = scale != null && scale.transform() == NumericTransform.BUCKET;
        long[] bucketKeys = new long[buckets ? scale.bounds().size() + 1 : 0];
        for (int i = 0; i < bucketKeys.length; i++) {
            bucketKeys[i] = hash.key("#" + i);
        }
        return new Column(
                names.stream().mapToInt(this::index).toArray(),
                scale,
                hash,
                hash.key(""),
                hash.key("#"),
                bucketKeys);
    }

    @Override
    public void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem {
        if (!cut(buffer, from, to)) {
            return;
        }
        float rowLabel = label == NONE ? Float.NaN : label();
        float rowWeight = weight == NONE ? 1f : weight();
        for (Column feature : features) {
            if (feature.scale() == null) {
                out.add(category(feature));
            } else {
                addNumber(feature, out);
            }
        }
        out.endRow(rowLabel, rowWeight);
    }

    /** Returns whether a byte at the end of a line is left out; a blank is, unless it delimits. */
    private boolean isEnd(byte b) {
        return b == '\r' || b == ' ' && recipe.delimiter().charAt(0) != ' ';
    }

    private float label() throws RowProblem {
        checkLabelIsThere();
        if (names != null) {
            int found = names.find(fields.bytes(label), fields.from(label), fields.to(label));
            if (found == LabelNames.NONE) {
                throw labelProblem(LabelNames.refusal(labels));
            }
            return found;
        }
        float mapped = labels.map(number(label));
        if (Float.isNaN(mapped)) {
            throw labelProblem(LabelNames.refusal(labels));
        }
        return mapped;
    }

    private void checkLabelIsThere() throws RowProblem {
        if (isMissing(label)) {
            throw new RowProblem(
                    fields.from(label),
                    "label column '"
                            + recipe.label()
                            + "': no label"
                            + (fields.isEmpty(label)
                                    ? ""
                                    : ", which '" + fields.text(label) + "' stands for"));
        }
    }

    private float weight() throws RowProblem {
        float read = number(weight);
        if (!(read >= 0) || read == Float.POSITIVE_INFINITY) {
            throw problem(weight, "is out of range for a weight: it must be a number from 0 on");
        }
        return read;
    }

    private boolean isMissing(int field) {
        if (fields.isEmpty(field)) {
            return true;
        }
        for (byte[] text : missing) {
            if (Arrays.equals(
                    text,
                    0,
                    text.length,
                    fields.bytes(field),
                    fields.from(field),
                    fields.to(field))) {
                return true;
            }
        }
        return false;
    }

    private long category(Column feature) {
        int[] positions = feature.positions();
        FeatureHash hash = feature.hash().begin();
        for (int i = 0; i < positions.length; i++) {
            if (i > 0) {
                hash.add((byte) 0);
            }
            if (!isMissing(positions[i])) {
                hash.add(
                        fields.bytes(positions[i]),
                        fields.from(positions[i]),
                        fields.to(positions[i]));
            }
        }
        return hash.key();
    }

    private void addNumber(Column feature, RowBatchBuilder out) throws RowProblem {
        int position = feature.positions()[0];
        if (isMissing(position)) {
            out.add(feature.missingKey());
            return;
        }
        float value = number(position);
        NumericScale scale = feature.scale();
        if (scale.transform() == NumericTransform.NONE) {
            out.add(feature.numberKey(), value);
        } else if (feature.bucketKeys().length > 0) {
            out.add(feature.bucketKeys()[scale.bucket(exact(position))]);
        } else {
            out.add(feature.numberKey(), scale.apply(exact(position)));
        }
    }

    /** Returns as a double what {@link #number} has just read. */
    private double exact(int field) {
        return number.exact(fields.bytes(field), fields.from(field));
    }

    /** Returns the number in a field, finite. */
    private float number(int field) throws RowProblem {
        byte[] bytes = fields.bytes(field);
        float value = number.scan(bytes, fields.from(field), fields.to(field));
        if (number.end() != fields.to(field)) {
            throw problem(field, "is not a finite number" + NO_NUMBER);
        }
        if (!Float.isFinite(value)) {
            throw problem(field, "is beyond the range of float");
        }
        return value;
    }

    private RowProblem problem(int field, String what) {
        String text = fields.text(field);
        String shown = text.length() > 40 ? text.substring(0, 40) + "..." : text;
        return new RowProblem(
                fields.from(field),
                (field == label ? "label column '" : "column '")
                        + recipe.columns().get(field)
                        + "': '"
                        + shown
                        + "' "
                        + what);
    }

    /**
     * Hands numbers and the text of the label of the last line cut to a scan of the input; nothing
     * of a row that is bad.
     */
    void scanInto(ColumnScan scan) throws RowProblem {
        int numeric = 0;
        for (Column feature : features) {
            if (feature.scale() != null) {
                int position = feature.positions()[0];
                boolean present = !isMissing(position);
                if (present) {
                    number(position);
                }
                numbers[numeric++] = present ? exact(position) : Double.NaN;
            }
        }
        if (weight != NONE) {
            weight();
        }
        if (label != NONE) {
            if (names == null && labels.mostTexts() > 0) {
                checkLabelIsThere();
                scan.label(fields.text(label));
            } else {
                label();
            }
        }
        for (int i = 0; i < numeric; i++) {
            if (!Double.isNaN(numbers[i])) {
                scan.number(i, numbers[i]);
            }
        }
    }

    /** Returns a problem with the label of the last line cut. */
    RowProblem labelProblem(String what) {
        return problem(label, what);
    }

    /** Splits a line into fields for {@link #scanInto}; returns false if it holds no row. */
    boolean cut(byte[] buffer, int from, int to) throws RowProblem {
        int end = to;
        while (end > from && isEnd(buffer[end - 1])) {
            end--;
        }
        if (end == from && recipe.columns().size() > 1) {
            return false;
        }
        fields.split(buffer, from, end);
        if (fields.count() != recipe.columns().size()) {
            throw new RowProblem(
                    from,
                    fields.count() + " fields instead of " + recipe.columns().size() + " columns");
        }
        return true;
    }
}
