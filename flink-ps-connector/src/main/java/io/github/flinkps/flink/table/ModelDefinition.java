package io.github.flinkps.flink.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.flinkps.flink.data.TableRecipe;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The definition of a model as it was declared, and as {@code definition.json} beside its versions
 * holds it. Nothing of it is checked here (see {@link ModelSpec}).
 *
 * @param format of the file
 * @param comment for people; empty for none
 * @param columns in the order of their declaration
 * @param options as written in WITH
 */
public record ModelDefinition(
        int format, String comment, List<ModelColumn> columns, Map<String, String> options)
        implements Serializable {
    /** The format that is written. */
    public static final int FORMAT = 1;

    private static final long serialVersionUID = 1L;

    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    public ModelDefinition {
        comment = comment == null ? "" : comment;
        columns = columns == null ? List.of() : List.copyOf(columns);
        options = Collections.unmodifiableMap(options == null ? Map.of() : new TreeMap<>(options));
    }

    public ModelDefinition(String comment, List<ModelColumn> columns, Map<String, String> options) {
        this(FORMAT, comment, columns, options);
    }

    /**
     * Returns the definition that a version of the model remembers: without comments, and options
     * of jobs.
     */
    public static ModelDefinition of(TableRecipe recipe) {
        return new ModelDefinition(
                "",
                recipe.columns().stream()
                        .map(column -> ModelColumn.of(column.name(), column.type()))
                        .toList(),
                recipe.options());
    }

    /** Returns the definition as JSON. */
    public String toJson() {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a definition cannot be written as JSON", e);
        }
    }

    /**
     * Reads {@link #toJson}.
     *
     * @param from where it was read, for messages
     * @throws IllegalArgumentException when it is damaged, or of a format newer than this program
     */
    public static ModelDefinition fromJson(String json, String from) {
        ModelDefinition definition;
        try {
            definition = JSON.readValue(json, ModelDefinition.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "the definition of a model in "
                            + from
                            + " is damaged: "
                            + e.getOriginalMessage(),
                    e);
        }
        if (definition == null || definition.format < 1) {
            throw new IllegalArgumentException(
                    "the definition of a model in " + from + " is damaged: it has no format");
        }
        for (ModelColumn column : definition.columns) {
            if (column.name() == null || column.type() == null) {
                throw new IllegalArgumentException(
                        "the definition of a model in "
                                + from
                                + " is damaged: a column has no name or no type");
            }
        }
        if (definition.format > FORMAT) {
            throw new IllegalArgumentException(
                    "the definition of a model in "
                            + from
                            + " has format "
                            + definition.format
                            + ", of which this version, which reads up to "
                            + FORMAT
                            + ", knows nothing: use a newer flink-ps");
        }
        return definition;
    }
}
