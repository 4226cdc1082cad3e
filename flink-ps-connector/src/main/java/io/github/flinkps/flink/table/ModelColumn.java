package io.github.flinkps.flink.table;

import java.io.Serializable;

/**
 * A column of a model's table.
 *
 * @param name as declared
 * @param type in SQL, such as {@code ARRAY<STRING>}, as {@code LogicalType.asSerializableString}
 * @param comment for people; empty for none
 */
public record ModelColumn(String name, String type, String comment) implements Serializable {
    private static final long serialVersionUID = 1L;

    public ModelColumn {
        comment = comment == null ? "" : comment;
    }

    /** Returns a column without a comment. */
    public static ModelColumn of(String name, String type) {
        return new ModelColumn(name, type, "");
    }
}
