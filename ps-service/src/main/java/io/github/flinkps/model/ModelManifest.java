package io.github.flinkps.model;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The description of a stored model: the contents of {@code manifest.json}.
 *
 * @param header what the model is
 * @param tables with their files, in the order of the header
 * @param facts about the training, by name: rows, epochs, clock and the like
 */
public record ModelManifest(
        ModelHeader header, List<ModelTable> tables, Map<String, String> facts) {
    /** Version of the format that this program writes, and the newest that it reads. */
    public static final int FORMAT_VERSION = 1;

    /** Name of the manifest in a model's directory. */
    public static final String FILE = "manifest.json";

    public ModelManifest {
        tables = List.copyOf(tables);
        facts = Collections.unmodifiableMap(new TreeMap<>(facts));
    }

    /**
     * Returns the table of that name.
     *
     * @throws PsException UNKNOWN_TABLE
     */
    public ModelTable table(String name) {
        for (ModelTable table : tables) {
            if (table.spec().name().equals(name)) {
                return table;
            }
        }
        throw new PsException(
                ErrorCode.UNKNOWN_TABLE,
                "model '" + header.model() + "' has no table '" + name + "'");
    }

    /** Returns the number of parameters: the values of all tables. */
    public long parameters() {
        return tables.stream().mapToLong(ModelTable::values).sum();
    }

    /** Returns the bytes of all files but the manifest. */
    public long bytes() {
        return tables.stream()
                .flatMap(table -> table.files().stream())
                .mapToLong(ModelFile::bytes)
                .sum();
    }
}
