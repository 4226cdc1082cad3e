package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.Serializable;
import java.util.List;

/**
 * A feature of a CSV row, one entry in every row.
 *
 * @param columns the column; several for a cross of their values
 * @param scale for a column of numbers; null for categories and crosses
 */
public record CsvFeature(List<String> columns, NumericScale scale) implements Serializable {
    private static final long serialVersionUID = 1L;

    public CsvFeature {
        columns = List.copyOf(columns);
    }

    /** Returns a column of categories. */
    public static CsvFeature categorical(String column) {
        return new CsvFeature(List.of(column), null);
    }

    /** Returns a column of numbers. */
    public static CsvFeature numeric(String column, NumericScale scale) {
        return new CsvFeature(List.of(column), scale);
    }

    /** Returns the values of several columns taken as one category. */
    public static CsvFeature cross(List<String> columns) {
        return new CsvFeature(columns, null);
    }

    /** Returns its column, or {@code a*b}. */
    @JsonIgnore
    public String name() {
        return String.join("*", columns);
    }

    /** Returns whether its values are numbers. */
    @JsonIgnore
    public boolean isNumeric() {
        return scale != null;
    }
}
