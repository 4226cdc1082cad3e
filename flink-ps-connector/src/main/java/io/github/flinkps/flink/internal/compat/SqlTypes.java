package io.github.flinkps.flink.internal.compat;

import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.InputTypeStrategies;
import org.apache.flink.table.types.inference.InputTypeStrategy;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.DataTypeUtils;

/** Types of SQL by their text. */
public final class SqlTypes {
    private SqlTypes() {}

    /**
     * Returns the type that {@code LogicalType.asSerializableString} wrote, or that a user would
     * write.
     *
     * @throws ValidationException if there is no such type
     */
    public static LogicalType parse(String type) {
        LogicalType parsed = LogicalTypeParser.parse(type, SqlTypes.class.getClassLoader());
        if (parsed.is(LogicalTypeRoot.UNRESOLVED)) {
            throw new ValidationException("there is no type " + type);
        }
        return parsed;
    }

    /** Returns a type whose values are Flink's own structures, such as {@code StringData}. */
    public static DataType internal(LogicalType type) {
        return DataTypeUtils.toInternalDataType(type);
    }

    /**
     * Returns the strategy of arguments of just these types, whose values are Flink's own
     * structures.
     */
    public static InputTypeStrategy internalArguments(List<LogicalType> types) {
        return InputTypeStrategies.explicitSequence(
                types.stream().map(SqlTypes::internal).toArray(DataType[]::new));
    }
}
