package io.github.flinkps.model;

import static io.github.flinkps.model.JsonFields.elements;
import static io.github.flinkps.model.JsonFields.field;
import static io.github.flinkps.model.JsonFields.integer;
import static io.github.flinkps.model.JsonFields.text;
import static io.github.flinkps.model.JsonFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import java.util.List;

/** The manifest of a model as JSON. */
final class ManifestJson {
    private static final String FORMAT = "flink-ps-model";

    private ManifestJson() {}

    static byte[] write(ModelManifest manifest) {
        ObjectNode root = JsonFields.begin(FORMAT, ModelManifest.FORMAT_VERSION);
        ModelHeader header = manifest.header();
        root.put("model", header.model()).put("algorithm", header.algorithm());
        root.set("parameters", texts(header.parameters()));
        root.put("input", header.input());
        root.put("slots", header.slots());
        ArrayNode tables = root.putArray("tables");
        manifest.tables().forEach(table -> tables.add(table(table)));
        root.set("facts", texts(manifest.facts()));
        return JsonFields.seal(root);
    }

    private static ObjectNode table(ModelTable table) {
        ObjectNode node = TableJson.write(table.spec()).put("slots", table.slots());
        ArrayNode files = node.putArray("files");
        for (ModelFile file : table.files()) {
            files.addObject()
                    .put("path", file.path())
                    .put("partition", file.partition())
                    .put("rows", file.rows())
                    .put("steps", file.steps().steps())
                    .put("rounds", file.steps().rounds())
                    .put("ofRound", file.steps().ofRound())
                    .put("bytes", file.bytes())
                    .put(JsonFields.CHECKSUM, JsonFields.checksum(file.crc32c()));
        }
        return node;
    }

    /**
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    static ModelManifest read(byte[] json) {
        ObjectNode root = JsonFields.open(json, FORMAT, "model", ModelManifest.FORMAT_VERSION);
        List<ModelTable> tables = elements(root, "tables", ManifestJson::table);
        ModelHeader header =
                new ModelHeader(
                        text(root, "model"),
                        text(root, "algorithm"),
                        texts(root, "parameters"),
                        tables.stream().map(ModelTable::spec).toList(),
                        root.path("input").asText(), // added later than the others
                        field(root, "slots").asBoolean());
        return new ModelManifest(header, tables, texts(root, "facts"));
    }

    private static ModelTable table(JsonNode node) {
        TableSpec spec = TableJson.read(node);
        ModelTable table =
                new ModelTable(
                        spec, integer(node, "slots"), elements(node, "files", ManifestJson::file));
        for (int i = 0; i < table.files().size(); i++) {
            if (table.files().get(i).partition() != i) {
                throw new IllegalArgumentException(
                        "table '" + spec.name() + "' lacks partition " + i);
            }
        }
        if (table.files().size() != spec.partitions()) {
            throw new IllegalArgumentException(
                    "table '"
                            + spec.name()
                            + "' has "
                            + table.files().size()
                            + " files for "
                            + spec.partitions()
                            + " partitions");
        }
        return table;
    }

    /**
     * Reads a file. Where it says no rounds each step counts as one, as under BSP: what workers and
     * which consistency made the steps a manifest does not say.
     */
    private static ModelFile file(JsonNode node) {
        StoredFile file =
                new StoredFile(
                        text(node, "path"),
                        field(node, "rows").asLong(),
                        field(node, "bytes").asLong(),
                        JsonFields.crc32c(node, JsonFields.CHECKSUM));
        long steps = node.path("steps").asLong(); // added later than the others, and rounds too
        long rounds = node.path("rounds").asLong(steps);
        long ofRound = node.path("ofRound").asLong();
        StepCounts counts = new StepCounts(steps, rounds, ofRound);
        return ModelFile.of(file, integer(node, "partition"), counts);
    }
}
