package io.github.flinkps.flink.data;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.Serializable;
import java.util.List;

/**
 * The recipe by which the rows of files, or of a table, become rows of a model. It has their
 * format, their columns, and what was learned of them from the training rows. Saved with the model,
 * so that prediction needs no more than the model.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "format")
@JsonSubTypes({
    @JsonSubTypes.Type(value = CsvRecipe.class, name = "csv"),
    @JsonSubTypes.Type(value = LibsvmRecipe.class, name = "libsvm"),
    @JsonSubTypes.Type(value = LibffmRecipe.class, name = LibffmFormat.NAME),
    @JsonSubTypes.Type(value = VwRecipe.class, name = VwFormat.NAME),
    @JsonSubTypes.Type(value = IdxRecipe.class, name = "idx"),
    @JsonSubTypes.Type(value = WordsRecipe.class, name = WordsRecipe.FORMAT),
    @JsonSubTypes.Type(value = TableRecipe.class, name = TableRecipe.FORMAT)
})
public sealed interface RowRecipe extends Serializable permits FileRecipe, TableRecipe {
    /** Returns the name of the format on the command line. */
    @JsonIgnore
    String format();

    /**
     * Returns the texts by which files name label 0, 1, .., the first of each being the one to
     * show; empty where labels are numbers that mean themselves.
     */
    List<List<String>> labelNames();

    /** Returns the recipe as JSON. */
    default String toJson() {
        try {
            return JsonMapper.builder().build().writerFor(RowRecipe.class).writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a recipe cannot be written as JSON", e);
        }
    }

    /**
     * Reads {@link #toJson}.
     *
     * @throws IllegalArgumentException when it is not such
     */
    static RowRecipe fromJson(String json) {
        if (json.isEmpty()) {
            throw new IllegalArgumentException(
                    "the model does not say how rows become its own: the program that trained it"
                            + " gave no recipe");
        }
        try {
            return JsonMapper.builder().build().readValue(json, RowRecipe.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "the description of the model's input is damaged: " + e.getOriginalMessage(),
                    e);
        }
    }
}
