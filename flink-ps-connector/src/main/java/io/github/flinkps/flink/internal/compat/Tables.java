package io.github.flinkps.flink.internal.compat;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.internal.TableImpl;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;

/** Reads what the public API does not tell of a table. */
public final class Tables {
    private Tables() {}

    /**
     * Returns the environment in which a table was made.
     *
     * @throws IllegalArgumentException if that has no streams
     */
    public static StreamTableEnvironment environment(Table table) {
        if (table instanceof TableImpl made
                && made.getTableEnvironment() instanceof StreamTableEnvironment environment) {
            return environment;
        }
        throw new IllegalArgumentException(
                "the table must be one of a StreamTableEnvironment, not " + table);
    }

    /**
     * Returns a table as a stream of SQL's own rows, with the table's columns in their order.
     *
     * @param environment of the table
     * @throws org.apache.flink.table.api.ValidationException if its rows are changed or removed
     */
    public static DataStream<RowData> rows(StreamTableEnvironment environment, Table table) {
        DataType type = table.getResolvedSchema().toPhysicalRowDataType();
        return environment.toDataStream(table, type.notNull().bridgedTo(RowData.class));
    }
}
