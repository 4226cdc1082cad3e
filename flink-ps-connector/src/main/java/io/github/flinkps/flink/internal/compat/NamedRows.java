package io.github.flinkps.flink.internal.compat;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.RowUtils;

/**
 * Makes rows whose fields are found by position and by name, as those are that Flink's serializer
 * reads: where operators are chained and reuse objects, no serializer is between them. Immutable.
 */
public final class NamedRows implements Serializable {
    private static final long serialVersionUID = 1L;

    private final LinkedHashMap<String, Integer> positions = new LinkedHashMap<>();

    /**
     * @param columns names of all fields, in their order
     */
    public NamedRows(List<String> columns) {
        columns.forEach(column -> positions.put(column, positions.size()));
    }

    /** Returns a row. */
    public Row of(RowKind kind, Object... fields) {
        return RowUtils.createRowWithNamedPositions(kind, fields, positions);
    }
}
