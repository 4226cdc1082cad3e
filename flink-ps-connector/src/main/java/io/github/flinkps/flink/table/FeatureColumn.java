package io.github.flinkps.flink.table;

import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.data.NumericScale;
import io.github.flinkps.flink.data.NumericTransform;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowProblem;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;

/** A column of features as entries of a row; one thread at a time. */
final class FeatureColumn implements Serializable {
    /** Keys are hashes of the column's name and what tells its values apart. */
    static final int HASHED = -1;

    private static final long serialVersionUID = 1L;

    private final String name;
    private final FeatureKind kind;
    private final RowData.FieldGetter getter;
    private final ArrayData.ElementGetter elements;
    private final ArrayData.ElementGetter values;
    private final NumericScale scale;
    private final int hashBits;
    private final int offset;
    private transient FeatureHash hash;
    private transient long numberKey;
    private transient long missingKey;
    private transient long[] keys;

    /**
     * @param place of the column in its row
     * @param scale of its numbers
     * @param offset key of its number, or of the first element of an array of numbers; or {@link
     *     #HASHED}
     */
    FeatureColumn(
            String name,
            FeatureKind kind,
            LogicalType type,
            int place,
            NumericScale scale,
            int hashBits,
            int offset) {
        this.name = name;
        this.kind = kind;
        this.getter = RowEncoder.getter(type, place);
        LogicalType element =
                type instanceof ArrayType array
                        ? array.getElementType()
                        : type instanceof MapType map ? map.getKeyType() : null;
        this.elements = element == null ? null : ArrayData.createElementGetter(element);
        this.values =
                type instanceof MapType map
                        ? ArrayData.createElementGetter(map.getValueType())
                        : null;
        this.scale = scale;
        this.hashBits = hashBits;
        this.offset = offset;
    }

    private FeatureHash hash() {
        if (hash == null) {
            hash = new FeatureHash(name, hashBits);
            numberKey = hash.key("#");
            missingKey = hash.key("");
            keys = new long[scale.bounds().size() + 1];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = hash.key("#" + i);
            }
        }
        return hash;
    }

    /** Adds the keys that are known without a value, with what each of them stands for. */
    void names(Map<Long, String> names) {
        hash();
        boolean number = kind == FeatureKind.NUMBER;
        if (number && offset != HASHED) {
            names.put((long) offset, name);
            return;
        }
        if (number && scale.transform() == NumericTransform.BUCKET) {
            for (int i = 0; i < keys.length; i++) {
                names.put(keys[i], bucket(i));
            }
        } else if (number) {
            names.put(numberKey, name);
        }
        if (number || kind == FeatureKind.CATEGORY) {
            names.put(missingKey, name + " IS NULL");
        }
    }

    private String bucket(int i) {
        List<Double> bounds = scale.bounds();
        String above = i == 0 ? "" : name + " >= " + bounds.get(i - 1);
        String below = i == bounds.size() ? "" : name + " < " + bounds.get(i);
        return above + (above.isEmpty() || below.isEmpty() ? "" : " AND ") + below;
    }

    void add(RowData row, RowBatchBuilder out) throws RowProblem {
        Object value = getter.getFieldOrNull(row);
        hash();
        switch (kind) {
            case NUMBER -> number(value, out);
            case CATEGORY -> out.add(value == null ? missingKey : category(value));
            default -> {
                if (value instanceof ArrayData array) {
                    array(array, out);
                } else if (value instanceof MapData map) {
                    map(map, out);
                }
            }
        }
    }

    private long category(Object value) {
        byte[] bytes = RowEncoder.bytes(value);
        return hash.begin().add(bytes, 0, bytes.length).key();
    }

    private void number(Object value, RowBatchBuilder out) throws RowProblem {
        if (offset != HASHED) {
            if (value != null) {
                out.add(offset, scale.apply(finite(value)));
            }
        } else if (value == null) {
            out.add(missingKey);
        } else if (scale.transform() == NumericTransform.BUCKET) {
            out.add(keys[scale.bucket(finite(value))]);
        } else {
            out.add(numberKey, scale.apply(finite(value)));
        }
    }

    private void array(ArrayData array, RowBatchBuilder out) throws RowProblem {
        for (int i = 0; i < array.size(); i++) {
            Object element = elements.getElementOrNull(array, i);
            if (element == null) {
                continue;
            }
            switch (kind) {
                case IDS -> out.add(((Number) element).longValue());
                case CATEGORIES -> out.add(category(element));
                default -> out.add(place(i), (float) finite(element));
            }
        }
    }

    private void map(MapData map, RowBatchBuilder out) throws RowProblem {
        ArrayData named = map.keyArray();
        ArrayData numbers = map.valueArray();
        for (int i = 0; i < map.size(); i++) {
            Object key = elements.getElementOrNull(named, i);
            Object value = values.getElementOrNull(numbers, i);
            if (key != null && value != null) {
                boolean id = kind == FeatureKind.WEIGHTED_IDS;
                long at = id ? ((Number) key).longValue() : category(key);
                out.add(at, (float) finite(value));
            }
        }
    }

    private long place(int i) {
        if (offset != HASHED) {
            return offset + (long) i;
        }
        if (i >= keys.length) {
            long[] more = Arrays.copyOf(keys, Math.max(2 * keys.length, i + 1));
            for (int at = keys.length; at < more.length; at++) {
                more[at] = hash.key("#" + at);
            }
            keys = more;
        }
        return keys[i];
    }

    /** Returns a number that stays finite as a float. */
    private double finite(Object value) throws RowProblem {
        double number = RowEncoder.number(value);
        if (!(Math.abs(number) <= Float.MAX_VALUE)) {
            String what =
                    Double.isFinite(number)
                            ? " is beyond the range of float"
                            : " is not a finite number";
            throw new RowProblem(0, "column '" + name + "': " + value + what);
        }
        return number;
    }
}
