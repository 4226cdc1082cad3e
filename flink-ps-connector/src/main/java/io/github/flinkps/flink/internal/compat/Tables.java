package io.github.flinkps.flink.internal.compat;

import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.internal.TableImpl;

/** What the public API does not tell of a table. */
public final class Tables {
    private Tables() {}

    /**
     * Where a table was made.
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
}
