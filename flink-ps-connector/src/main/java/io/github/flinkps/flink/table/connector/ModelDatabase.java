package io.github.flinkps.flink.table.connector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.catalog.CatalogDatabase;

/**
 * The description of a database of models, as {@code database.json} holds it.
 *
 * @param comment for people; empty for none
 * @param properties as written in WITH, of no meaning here
 */
record ModelDatabase(String comment, Map<String, String> properties) {
    static final ModelDatabase EMPTY = new ModelDatabase("", Map.of());

    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    ModelDatabase {
        comment = comment == null ? "" : comment;
        properties =
                Collections.unmodifiableMap(
                        properties == null ? Map.of() : new TreeMap<>(properties));
    }

    static ModelDatabase of(CatalogDatabase database) {
        return new ModelDatabase(database.getComment(), database.getProperties());
    }

    String toJson() {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a database cannot be written as JSON", e);
        }
    }

    /**
     * Reads {@link #toJson}.
     *
     * @throws IllegalArgumentException when it is damaged
     */
    static ModelDatabase fromJson(String json, String database) {
        try {
            ModelDatabase read = JSON.readValue(json, ModelDatabase.class);
            return read == null ? EMPTY : read;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "what is known of database "
                            + database
                            + " is damaged: "
                            + e.getOriginalMessage(),
                    e);
        }
    }

    CatalogDatabase toCatalog() {
        return new Known(this);
    }

    private record Known(ModelDatabase database) implements CatalogDatabase {
        @Override
        public Map<String, String> getProperties() {
            return database.properties;
        }

        @Override
        public String getComment() {
            return database.comment;
        }

        @Override
        public CatalogDatabase copy() {
            return this;
        }

        @Override
        public CatalogDatabase copy(Map<String, String> properties) {
            return new Known(new ModelDatabase(database.comment, properties));
        }

        @Override
        public Optional<String> getDescription() {
            return Optional.of(database.comment);
        }

        @Override
        public Optional<String> getDetailedDescription() {
            return getDescription();
        }
    }
}
