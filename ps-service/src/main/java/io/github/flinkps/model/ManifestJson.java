package io.github.flinkps.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.CRC32C;

/**
 * The manifest as JSON. Its last field is the CRC-32C of the compact JSON without that field, so
 * that white space may change and nothing else.
 */
final class ManifestJson {
    private static final String FORMAT = "flink-ps-model";
    private static final String CHECKSUM = "checksum";
    private static final String CRC_PREFIX = "crc32c:";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ManifestJson() {}

    static byte[] write(ModelManifest manifest) {
        ObjectNode root = MAPPER.createObjectNode();
        ModelHeader header = manifest.header();
        root.put("format", FORMAT).put("formatVersion", ModelManifest.FORMAT_VERSION);
        root.put("model", header.model()).put("algorithm", header.algorithm());
        root.set("parameters", texts(header.parameters()));
        root.put("input", header.input());
        root.put("slots", header.slots());
        ArrayNode tables = root.putArray("tables");
        manifest.tables().forEach(table -> tables.add(table(table)));
        root.set("facts", texts(manifest.facts()));
        try {
            root.put(CHECKSUM, checksum(root));
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the manifest cannot be written as JSON", e);
        }
    }

    private static ObjectNode texts(Map<String, String> texts) {
        ObjectNode node = MAPPER.createObjectNode();
        texts.forEach(node::put);
        return node;
    }

    private static ObjectNode table(ModelTable table) {
        TableSpec spec = table.spec();
        ObjectNode node = MAPPER.createObjectNode();
        node.put("name", spec.name()).put("size", spec.size()).put("keyBits", spec.keyBits());
        node.put("width", spec.width()).put("partitions", spec.partitions());
        node.putObject("initializer")
                .put("kind", spec.initializer().kind().name().toLowerCase(Locale.ROOT))
                .put("a", (double) spec.initializer().a())
                .put("b", (double) spec.initializer().b());
        ObjectNode update = node.putObject("update").put("name", spec.update().name());
        ObjectNode options = update.putObject("options");
        spec.update().options().forEach(options::put);
        node.put("seed", spec.seed()).put("slots", table.slots());
        ArrayNode files = node.putArray("files");
        for (ModelFile file : table.files()) {
            files.addObject()
                    .put("path", file.path())
                    .put("partition", file.partition())
                    .put("rows", file.rows())
                    .put("steps", file.steps())
                    .put("bytes", file.bytes())
                    .put(CHECKSUM, checksum(file.crc32c()));
        }
        return node;
    }

    private static String checksum(int crc32c) {
        return CRC_PREFIX + String.format(Locale.ROOT, "%08x", crc32c);
    }

    private static String checksum(ObjectNode root) throws JsonProcessingException {
        CRC32C crc = new CRC32C();
        crc.update(MAPPER.writeValueAsString(root).getBytes(StandardCharsets.UTF_8));
        return checksum((int) crc.getValue());
    }

    /**
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    static ModelManifest read(byte[] json) {
        try {
            if (!(MAPPER.readTree(json) instanceof ObjectNode root)
                    || !FORMAT.equals(root.path("format").asText())) {
                throw new IllegalArgumentException("it is not the manifest of a model");
            }
            int version = integer(root, "formatVersion");
            if (version > ModelManifest.FORMAT_VERSION) {
                throw new IllegalArgumentException(
                        "format version "
                                + version
                                + " is newer than "
                                + ModelManifest.FORMAT_VERSION
                                + ", the newest this program reads");
            }
            String stated = text(root, CHECKSUM);
            root.remove(CHECKSUM);
            if (!checksum(root).equals(stated)) {
                throw new IllegalArgumentException("its checksum differs: it has been altered");
            }
            return manifest(root);
        } catch (java.io.IOException e) {
            throw new IllegalArgumentException("it is not JSON: " + firstLine(e), e);
        }
    }

    private static String firstLine(Exception e) {
        return e.getMessage().lines().findFirst().orElse("");
    }

    private static ModelManifest manifest(ObjectNode root) {
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
        JsonNode initializer = field(node, "initializer");
        JsonNode update = field(node, "update");
        Map<String, Double> options = new TreeMap<>();
        Iterator<Map.Entry<String, JsonNode>> fields = field(update, "options").fields();
        fields.forEachRemaining(
                option -> options.put(option.getKey(), option.getValue().asDouble()));
        TableSpec spec =
                new TableSpec(
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

    private static ModelFile file(JsonNode node) {
        String path = text(node, "path");
        if (path.isEmpty() || path.startsWith("/") || List.of(path.split("/")).contains("..")) {
            throw new IllegalArgumentException("file '" + path + "' lies outside the model");
        }
        String checksum = text(node, CHECKSUM);
        if (!checksum.matches(CRC_PREFIX + "[0-9a-f]{8}")) {
            throw new IllegalArgumentException("unknown checksum '" + checksum + "'");
        }
        return new ModelFile(
                path,
                integer(node, "partition"),
                field(node, "rows").asLong(),
                node.path("steps").asLong(), // added later than the others
                field(node, "bytes").asLong(),
                Integer.parseUnsignedInt(checksum.substring(CRC_PREFIX.length()), 16));
    }

    private static JsonNode field(JsonNode node, String name) {
        JsonNode field = node.get(name);
        if (field == null) {
            throw new IllegalArgumentException("it has no field '" + name + "'");
        }
        return field;
    }

    private static String text(JsonNode node, String name) {
        return field(node, name).asText();
    }

    private static int integer(JsonNode node, String name) {
        JsonNode field = field(node, name);
        if (!field.isInt()) {
            throw new IllegalArgumentException("its field '" + name + "' is not a whole number");
        }
        return field.intValue();
    }

    private static Map<String, String> texts(JsonNode node, String name) {
        Map<String, String> texts = new TreeMap<>();
        field(node, name)
                .fields()
                .forEachRemaining(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    private static <T> List<T> elements(JsonNode node, String name, Function<JsonNode, T> reader) {
        List<T> elements = new ArrayList<>();
        field(node, name).forEach(element -> elements.add(reader.apply(element)));
        return elements;
    }
}
