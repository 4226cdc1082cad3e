package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows of a table of SQL. They come from queries, never from files; what is kept is enough to
 * encode rows of other queries for the model without the table's catalog.
 *
 * @param columns of the table, in their order
 * @param options of the table, those of the jobs that trained left out
 */
public record TableRecipe(List<Column> columns, Map<String, String> options) implements RowRecipe {
    /** The name of the format. */
    public static final String FORMAT = "table";

    private static final long serialVersionUID = 1L;

    /**
     * A column.
     *
     * @param name as declared
     * @param type in SQL
     */
    public record Column(String name, String type) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    public TableRecipe {
        columns = List.copyOf(columns);
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    @Override
    @JsonIgnore
    public String format() {
        return FORMAT;
    }

    @Override
    public List<List<String>> labelNames() {
        return List.of();
    }
}
