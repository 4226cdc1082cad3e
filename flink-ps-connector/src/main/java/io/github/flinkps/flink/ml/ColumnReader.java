package io.github.flinkps.flink.ml;

import java.io.Serializable;
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

    /** Returns the value in a row; null for NULL. */
    Object read(Row row) {
        boolean places = row.getFieldNames(false) == null;
        Object value = places ? row.getField(place) : row.getField(name);
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
