package io.github.flinkps.model;

import static io.github.flinkps.model.JsonFields.field;
import static io.github.flinkps.model.JsonFields.integer;
import static io.github.flinkps.model.JsonFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The definition of a table in manifests. */
public final class TableJson {
    private TableJson() {}

    public static ObjectNode write(TableSpec spec) {
        ObjectNode node = JsonFields.object();
        node.put("name", spec.name()).put("size", spec.size()).put("keyBits", spec.keyBits());
        node.put("width", spec.width()).put("partitions", spec.partitions());
        node.putObject("initializer")
                .put("kind", spec.initializer().kind().name().toLowerCase(Locale.ROOT))
                .put("a", (double) spec.initializer().a())
                .put("b", (double) spec.initializer().b());
        ObjectNode update = node.putObject("update").put("name", spec.update().name());
        ObjectNode options = update.putObject("options");
        spec.update().options().forEach(options::put);
        return node.put("seed", spec.seed());
    }

    public static TableSpec read(JsonNode node) {
        JsonNode initializer = field(node, "initializer");
        JsonNode update = field(node, "update");
        Map<String, Double> options = new TreeMap<>();
        field(update, "options")
                .fields()
                .forEachRemaining(
                        option -> options.put(option.getKey(), option.getValue().asDouble()));
        return new TableSpec(
                text(node, "name"),
                field(node, "size").asLong(),
                integer(node, "keyBits"),
                integer(node, "width"),
                integer(node, "partitions"),
                new InitializerSpec(
                        InitializerSpec.Kind.valueOf(
                                text(initializer, "kind").toUpperCase(Locale.ROOT)),
                        (float) field(initializer, "a").asDouble(),
                        (float) field(initializer, "b").asDouble()),
                new UpdateSpec(text(update, "name"), options),
                field(node, "seed").asLong());
    }
}
