package io.github.flinkps.flink.internal.compat;

import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

/** Types of SQL by their text. */
public final class SqlTypes {
    private SqlTypes() {}

    /**
     * The type that {@code LogicalType.asSerializableString} wrote, or that a user would write.
     *
     * @throws ValidationException if there is no such type
     */
    public static LogicalType parse(String type) {
        return LogicalTypeParser.parse(type, SqlTypes.class.getClassLoader());
    }
}
