package io.github.flinkps.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The form that manifests have in common: a format with a version, typed fields, and a checksum as
 * the last field. The checksum is the CRC-32C of the compact JSON without that field, so that white
 * space may change and nothing else. A fault is an {@link IllegalArgumentException}.
 */
public final class JsonFields {
    public static final String CHECKSUM = "checksum";
    private static final String CRC_PREFIX = "crc32c:";
    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build();

    private JsonFields() {}

    /** Returns a manifest that says what it is. */
    public static ObjectNode begin(String format, int version) {
        return MAPPER.createObjectNode().put("format", format).put("formatVersion", version);
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ObjectNode texts(Map<String, String> texts) {
        ObjectNode node = MAPPER.createObjectNode();
        texts.forEach(node::put);
        return node;
    }

    /** Adds the checksum: the text of a manifest. */
    public static byte[] seal(ObjectNode root) {
        try {
            root.put(CHECKSUM, checksum(root));
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the manifest cannot be written as JSON", e);
        }
    }

    public static String checksum(int crc32c) {
        return CRC_PREFIX + String.format(Locale.ROOT, "%08x", crc32c);
    }

    private static String checksum(ObjectNode root) throws JsonProcessingException {
        byte[] json = MAPPER.writeValueAsString(root).getBytes(StandardCharsets.UTF_8);
        return checksum(StorageFiles.crc32c(json));
    }

    /**
     * Returns a manifest whose format, version and checksum are right.
     *
     * @param of what it should be the manifest of, for the message
     * @param newest version that is read
     * @throws NewerFormatException if it is of a newer one
     */
    public static ObjectNode open(byte[] json, String format, String of, int newest) {
        try {
            if (!(MAPPER.readTree(json) instanceof ObjectNode root)
                    || !format.equals(root.path("format").asText())) {
                throw new IllegalArgumentException("it is not the manifest of a " + of);
            }
            int version = integer(root, "formatVersion");
            if (version > newest) {
                throw new NewerFormatException(version, newest);
            }
            String stated = text(root, CHECKSUM);
            root.remove(CHECKSUM);
            if (!checksum(root).equals(stated)) {
                throw new IllegalArgumentException("its checksum differs: it has been altered");
            }
            return root;
        } catch (IOException e) {
            String line = e.getMessage().lines().findFirst().orElse("");
            throw new IllegalArgumentException("it is not JSON: " + line, e);
        }
    }

    public static JsonNode field(JsonNode node, String name) {
        JsonNode field = node.get(name);
        if (field == null) {
            throw new IllegalArgumentException("it has no field '" + name + "'");
        }
        return field;
    }

    public static String text(JsonNode node, String name) {
        return field(node, name).asText();
    }

    public static int integer(JsonNode node, String name) {
        JsonNode field = field(node, name);
        if (!field.isInt()) {
            throw new IllegalArgumentException("its field '" + name + "' is not a whole number");
        }
        return field.intValue();
    }

    public static long whole(JsonNode node, String name) {
        JsonNode field = field(node, name);
        if (!field.isIntegralNumber() || !field.canConvertToLong()) {
            throw new IllegalArgumentException("its field '" + name + "' is not a whole number");
        }
        return field.longValue();
    }

    public static int crc32c(JsonNode node, String name) {
        String checksum = text(node, name);
        if (!checksum.matches(CRC_PREFIX + "[0-9a-f]{8}")) {
            throw new IllegalArgumentException("unknown checksum '" + checksum + "'");
        }
        return Integer.parseUnsignedInt(checksum.substring(CRC_PREFIX.length()), 16);
    }

    public static Map<String, String> texts(JsonNode node, String name) {
        Map<String, String> texts = new TreeMap<>();
        field(node, name)
                .fields()
                .forEachRemaining(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    public static <T> List<T> elements(JsonNode node, String name, Function<JsonNode, T> reader) {
        List<T> elements = new ArrayList<>();
        field(node, name).forEach(element -> elements.add(reader.apply(element)));
        return elements;
    }
}
