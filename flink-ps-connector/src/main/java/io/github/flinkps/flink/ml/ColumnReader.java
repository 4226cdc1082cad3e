package io.github.flinkps.flink.ml;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.ml.linalg.Vector;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.types.Row;

/**
 * Reads a column of rows as SQL's own structures.
 *
 * @param name of the column
 * @param place of it in rows
 * @param vector whether it holds vectors, which are read as {@link VectorData}
 * @param type of what is read
 */
record ColumnReader(String name, int place, boolean vector, LogicalType type)
        implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final LogicalType VECTORS =
            DataTypes.MAP(DataTypes.BIGINT(), DataTypes.DOUBLE()).getLogicalType();

    /**
     * Returns the reader of a table's column.
     *
     * @throws ValidationException if the table has no such column, naming those it has
     */
    static ColumnReader of(ResolvedSchema schema, String param, String column) {
        int place = schema.getColumnNames().indexOf(column);
        if (place < 0) {
            throw new ValidationException(
                    param
                            + " names '"
                            + column
                            + "', which is none of the table's columns "
                            + String.join(", ", schema.getColumnNames()));
        }
        Column found = schema.getColumns().get(place);
        DataType type = found.getDataType();
        boolean vector = Vector.class.isAssignableFrom(type.getConversionClass());
        return new ColumnReader(
                column, place, vector, vector ? null : type.getLogicalType().copy(true));
    }

    /** Returns the type of what is read, in SQL. */
    String sqlType() {
        return logicalType().asSerializableString();
    }

    /** Returns the type of what is read. */
    LogicalType logicalType() {
        return vector ? VECTORS : type;
    }

    /** Returns the value in a row, as rows have it; null for NULL. */
    Object value(Row row) {
        boolean places = row.getFieldNames(false) == null;
        return places ? row.getField(place) : row.getField(name);
    }

    boolean isNumber() {
        return !vector && type.is(LogicalTypeFamily.NUMERIC);
    }

    boolean isTruth() {
        return !vector && type.is(LogicalTypeRoot.BOOLEAN);
    }

    boolean isArrayOfNumbers() {
        return type instanceof ArrayType array
                && array.getElementType().is(LogicalTypeFamily.NUMERIC);
    }

    /** Returns the type as messages show it. */
    String shown() {
        return vector ? "a Vector" : type.asSummaryString();
    }

    /**
     * Returns the number in a row, 1 and 0 for TRUE and FALSE.
     *
     * @param param that names the column
     * @throws IllegalArgumentException naming the column if there is none
     */
    double number(Row row, String param) {
        Object value = value(row);
        if (value instanceof Boolean is) {
            return is ? 1 : 0;
        }
        if (!(value instanceof Number number) || Double.isNaN(number.doubleValue())) {
            throw refused(param, "a number", value);
        }
        return number.doubleValue();
    }

    /**
     * Returns the numbers of a Vector or an array in a row.
     *
     * @param param that names the column
     * @throws IllegalArgumentException naming the column if it is NULL, or one of them
     */
    double[] numbers(Row row, String param) {
        Object value = value(row);
        if (value instanceof Vector found) {
            return found.toArray();
        }
        int length = value == null ? -1 : Array.getLength(value);
        double[] numbers = new double[Math.max(0, length)];
        for (int i = 0; i < length; i++) {
            if (!(Array.get(value, i) instanceof Number number)) {
                throw refused(param, "numbers", "NULL among them");
            }
            numbers[i] = number.doubleValue();
        }
        if (length < 0) {
            throw refused(param, "numbers", null);
        }
        return numbers;
    }

    /**
     * Returns what a row fails with.
     *
     * @param param that names the column
     * @param must what its value must be
     * @param is what it is
     */
    IllegalArgumentException refused(String param, String must, Object is) {
        return new IllegalArgumentException(
                param
                        + ": column '"
                        + name
                        + "' must be "
                        + must
                        + ", but a row has "
                        + (is == null ? "NULL" : is));
    }

    /** Returns the value in a row; null for NULL. */
    Object read(Row row) {
        Object value = value(row);
        return value instanceof Vector found ? VectorData.of(found) : convert(value, type);
    }

    private static Object convert(Object value, LogicalType type) {
        if (value instanceof String text) {
            return StringData.fromString(text);
        }
        if (value instanceof BigDecimal number && type instanceof DecimalType decimal) {
            return DecimalData.fromBigDecimal(number, decimal.getPrecision(), decimal.getScale());
        }
        if (type instanceof ArrayType array && value != null) {
            return array(value, array.getElementType());
        }
        if (type instanceof MapType types && value instanceof Map<?, ?> map) {
            Map<Object, Object> converted = new HashMap<>();
            map.forEach(
                    (key, each) ->
                            converted.put(
                                    convert(key, types.getKeyType()),
                                    convert(each, types.getValueType())));
            return new GenericMapData(converted);
        }
        return value;
    }

    private static GenericArrayData array(Object value, LogicalType element) {
        if (value instanceof Object[] objects) {
            Object[] converted = new Object[objects.length];
            for (int i = 0; i < objects.length; i++) {
                converted[i] = convert(objects[i], element);
            }
            return new GenericArrayData(converted);
        }
        if (value instanceof double[] doubles) {
            return new GenericArrayData(doubles);
        }
        if (value instanceof float[] floats) {
            return new GenericArrayData(floats);
        }
        if (value instanceof long[] longs) {
            return new GenericArrayData(longs);
        }
        if (value instanceof int[] ints) {
            return new GenericArrayData(ints);
        }
        throw new IllegalArgumentException("no array of numbers or texts: " + value.getClass());
    }
}
