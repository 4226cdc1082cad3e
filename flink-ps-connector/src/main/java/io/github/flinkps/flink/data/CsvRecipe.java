package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Rows of CSV: one line each, fields apart by a delimiter, blanks around them left out; a field in
 * double quotes may hold the delimiter, blanks, and quotes written twice, but no line feed. Every
 * feature gives one entry in every row:
 *
 * <ul>
 *   <li>a category, or a cross of the values of columns, one of value 1 under the hash of its name
 *       and value,
 *   <li>a number one of its scaled value under the hash of its name (bucket: of value 1 under that
 *       of its name and bucket).
 * </ul>
 *
 * A missing value, empty or one of {@code missing}, is a value of its own, for numbers too. A row
 * without a label is bad.
 *
 * @param columns their names in the order of the file
 * @param header whether the first line of a file names them
 * @param delimiter one character of ASCII
 * @param label its column, or null where rows are only scored
 * @param labelValues the texts that mean label 0, 1, ..; empty where labels mean themselves
 * @param weight column of the row's weight, or null
 * @param features in the order of their entries
 * @param hashBits bits of the keys
 * @param missing texts that mean the same as none
 */
public record CsvRecipe(
        List<String> columns,
        boolean header,
        String delimiter,
        String label,
        List<List<String>> labelValues,
        String weight,
        List<CsvFeature> features,
        int hashBits,
        List<String> missing)
        implements TextRecipe {
    private static final long serialVersionUID = 1L;

    /** Some programs write it before the first line. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /**
     * @throws IllegalArgumentException naming the column that is unknown or there twice
     */
    public CsvRecipe {
        columns = List.copyOf(columns);
        labelValues = labelValues.stream().map(List::copyOf).toList();
        features = List.copyOf(features);
        missing = List.copyOf(missing);
        if (delimiter.length() != 1 || !isDelimiter(delimiter.charAt(0))) {
            throw new IllegalArgumentException(
                    "delimiter must be one character of ASCII, and no quote or end of line");
        }
        FeatureHash.BITS.check("hash-bits", hashBits);
        Set<String> names = new LinkedHashSet<>();
        for (String column : columns) {
            if (!names.add(column) && (!column.isEmpty() || uses("", features, label, weight))) {
                throw new IllegalArgumentException("column '" + column + "' is there twice");
            }
        }
        checkFeatures(features, names);
        if (label != null && label.equals(weight)) {
            throw new IllegalArgumentException("column '" + label + "' is both label and weight");
        }
        for (String column : new String[] {label, weight}) {
            if (column == null) {
                continue;
            }
            if (!names.contains(column)) {
                throw new IllegalArgumentException(
                        "there is no column '"
                                + column
                                + "', the "
                                + (column.equals(label) ? "label" : "weight of rows")
                                + ", among "
                                + String.join(", ", names));
            }
            if (features.stream().anyMatch(feature -> feature.columns().contains(column))) {
                throw new IllegalArgumentException(
                        "column '" + column + "' is both label or weight and feature");
            }
        }
    }

    /** Returns whether a character can stand between columns. */
    public static boolean isDelimiter(char c) {
        return c <= 0x7e && c != '"' && c != '\n' && c != '\r';
    }

    private static boolean uses(
            String column, List<CsvFeature> features, String label, String weight) {
        return column.equals(label)
                || column.equals(weight)
                || features.stream().anyMatch(feature -> feature.columns().contains(column));
    }

    private static void checkFeatures(List<CsvFeature> features, Set<String> names) {
        Set<Set<String>> used = new HashSet<>();
        for (CsvFeature feature : features) {
            feature.columns().forEach(column -> known(names, column));
            Set<String> columns = new HashSet<>(feature.columns());
            if (columns.size() < feature.columns().size()) {
                throw new IllegalArgumentException(
                        "the cross '" + feature.name() + "' has a column twice");
            }
            if (!used.add(columns)) {
                throw new IllegalArgumentException(
                        "column '" + feature.name() + "' is a feature twice");
            }
        }
    }

    private static void known(Set<String> names, String column) {
        if (!names.contains(column)) {
            throw new IllegalArgumentException(
                    "there is no column '" + column + "' among " + String.join(", ", names));
        }
    }

    @Override
    @JsonIgnore
    public String format() {
        return "csv";
    }

    @Override
    public List<List<String>> labelNames() {
        return labelValues;
    }

    @Override
    public RowFormat rowFormat(Labels labels, long keys) {
        return new CsvFormat(this, labels.named(labelValues));
    }

    /**
     * Returns the same features of files whose columns stand in another order.
     *
     * @param named whether the first line of a file names them
     */
    public CsvRecipe withColumns(List<String> others, boolean named) {
        return new CsvRecipe(
                others,
                named && header,
                delimiter,
                label,
                labelValues,
                weight,
                features,
                hashBits,
                missing);
    }

    /** Returns a copy for rows that are only scored: nobody looks at their labels and weights. */
    public CsvRecipe withoutLabel() {
        return new CsvRecipe(
                columns, header, delimiter, null, List.of(), null, features, hashBits, missing);
    }

    /** Returns a copy with other texts of labels. */
    public CsvRecipe withLabelValues(List<List<String>> texts) {
        return new CsvRecipe(
                columns, header, delimiter, label, texts, weight, features, hashBits, missing);
    }

    /** Returns a copy with other features. */
    public CsvRecipe withFeatures(List<CsvFeature> others) {
        return new CsvRecipe(
                columns, header, delimiter, label, labelValues, weight, others, hashBits, missing);
    }

    /** Returns the columns of numbers. */
    @JsonIgnore
    public List<CsvFeature> numeric() {
        return features.stream().filter(CsvFeature::isNumeric).toList();
    }

    /** Returns the fields of a line, such as the names in a header. */
    public static List<String> fields(String line, String delimiter) {
        String text = line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line;
        byte[] bytes = text.replaceFirst("[\r\n]+$", "").getBytes(StandardCharsets.UTF_8);
        CsvFields fields = new CsvFields((byte) delimiter.charAt(0));
        try {
            fields.split(bytes, 0, bytes.length);
        } catch (RowProblem e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < fields.count(); i++) {
            texts.add(fields.text(i));
        }
        return texts;
    }
}
