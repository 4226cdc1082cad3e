package io.github.flinkps.flink.table;

import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.data.LabelNames;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.data.RowProblem;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Turns rows of a model's table into rows of the model. For one thread at a time, as it keeps
 * buffers; a copy by Java serialization has its own. Entries stand in the order of the columns:
 *
 * <ul>
 *   <li>A category gets value 1. Its key is the hash of the column's name and the category. NULL
 *       and the empty text are one category of their own.
 *   <li>A number gets its scaled value. Its key is the hash of the column's name. NULL gets value 1
 *       under a key of its own.
 *   <li>Elements of arrays and maps are encoded in the same way, but NULL gives no entry, and
 *       neither does an array that is NULL. The key of element i of an array of numbers is the hash
 *       of the column's name and i.
 *   <li>If the model's table of features is dense, the key of a number is its column's place among
 *       the features. An array's element adds its own place to that. NULL gives no entry.
 * </ul>
 *
 * The hash is {@link FeatureHash}'s: text in a CSV column of the same name has the same key.
 */
public final class RowEncoder implements RowExtractor<RowData> {
    private static final long serialVersionUID = 1L;

    private final List<FeatureColumn> features;
    private final Target label;
    private final Target weight;
    private final Labels labels;
    private transient LabelNames names;

    /** A column of labels or weights; its name is for messages. */
    record Target(String name, RowData.FieldGetter getter) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /**
     * @param label null where rows are only scored, or have none
     * @param weight null for weight 1
     * @param labels the model's, with the names that rows have for them
     */
    RowEncoder(List<FeatureColumn> features, Target label, Target weight, Labels labels) {
        this.features = List.copyOf(features);
        this.label = label;
        this.weight = weight;
        this.labels = labels;
    }

    /** Gets the column at a place of a row. */
    public static RowData.FieldGetter getter(LogicalType type, int place) {
        return RowData.createFieldGetter(type, place);
    }

    /**
     * Adds a row.
     *
     * @throws RowProblem naming the column whose value cannot be used; the row then is unfinished
     */
    @Override
    public void extract(RowData row, RowBatchBuilder out) throws RowProblem {
        float rowLabel = label == null ? 0f : label(label.getter().getFieldOrNull(row));
        float rowWeight = weight == null ? 1f : weight(weight.getter().getFieldOrNull(row));
        for (FeatureColumn feature : features) {
            feature.add(row, out);
        }
        out.endRow(rowLabel, rowWeight);
    }

    private float label(Object value) throws RowProblem {
        if (value == null) {
            throw new RowProblem(0, "label column '" + label.name() + "': NULL is no label");
        }
        float mapped = labels.names().isEmpty() ? unnamed(value) : named(value);
        if (Float.isNaN(mapped)) {
            throw new RowProblem(0, "label column '" + label.name() + "': " + refusal(value));
        }
        return mapped;
    }

    /** Returns the label that a number is; NaN for none, also for a class counted from 1 on. */
    private float unnamed(Object value) {
        float mapped = labels.map((float) labelNumber(value));
        boolean shifted = labels.kind() == Labels.Kind.CLASS && mapped == 0 && 1 / mapped < 0;
        return shifted ? Float.NaN : mapped;
    }

    /** Returns the label that a text or number names; NaN for none. */
    private float named(Object value) {
        if (names == null) {
            names = new LabelNames(labels.names());
        }
        int found;
        if (value instanceof StringData text) {
            found = names.find(text.toString());
        } else {
            double read = labelNumber(value);
            boolean exact = Math.abs(read) <= LabelNames.LARGEST_NUMBER;
            found = exact ? names.find((float) read) : LabelNames.NONE;
        }
        return found == LabelNames.NONE ? Float.NaN : found;
    }

    private static double labelNumber(Object value) {
        return value instanceof Boolean flag ? (flag ? 1 : 0) : number(value);
    }

    private String refusal(Object value) {
        if (!labels.names().isEmpty()) {
            String shown = value instanceof StringData ? "'" + value + "'" : value.toString();
            return shown + " is none of label-values " + LabelNames.show(labels.names());
        }
        boolean classes = labels.kind() == Labels.Kind.CLASS;
        return value
                + " is out of range for a label: it must be "
                + (classes ? "a class from 0 to " + (labels.classes() - 1) : labels.range())
                + (labels.mostTexts() > 0 ? "; label-values names other labels" : "")
                + (classes ? ", such as those from 1 to " + labels.classes() : "");
    }

    private float weight(Object value) throws RowProblem {
        double read = value == null ? Double.NaN : number(value);
        if (!(read >= 0) || read > Float.MAX_VALUE) {
            throw new RowProblem(
                    0,
                    "weight column '"
                            + weight.name()
                            + "': "
                            + value
                            + " is out of range for a weight: it must be a number from 0 on");
        }
        return (float) read;
    }

    /** Returns a number of any type of SQL. */
    public static double number(Object value) {
        return value instanceof DecimalData decimal
                ? decimal.toBigDecimal().doubleValue()
                : ((Number) value).doubleValue();
    }

    /** Returns the UTF-8 bytes of a category. */
    static byte[] bytes(Object value) {
        return value instanceof StringData text
                ? text.toBytes()
                : value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
