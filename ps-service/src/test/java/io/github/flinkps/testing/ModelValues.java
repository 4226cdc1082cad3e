package io.github.flinkps.testing;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelTable;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * All values of a saved model of rows of width 1; equal to another's if they are so to the bit.
 *
 * @param tables the values by table and key
 */
public record ModelValues(Map<String, Map<Long, Float>> tables) {
    public static ModelValues read(Path directory) {
        Map<String, Map<Long, Float>> tables = new TreeMap<>();
        try (BufferAllocator memory = new RootAllocator();
                ModelReader reader =
                        ModelReader.open(
                                new LocalModelStorage(),
                                LocalModelStorage.path(directory),
                                memory)) {
            for (ModelTable table : reader.manifest().tables()) {
                if (table.spec().width() != 1) {
                    throw new IllegalArgumentException(table.spec() + " is of another width");
                }
                Map<Long, Float> values = new TreeMap<>();
                reader.read(
                        table.spec().name(),
                        block -> {
                            for (int i = 0; i < block.rows(); i++) {
                                values.put(block.keys()[i], block.values()[i]);
                            }
                        });
                tables.put(table.spec().name(), values);
            }
        }
        return new ModelValues(tables);
    }

    public Map<Long, Float> table(String name) {
        return tables.get(name);
    }

    public float get(String table, long key) {
        return tables.get(table).get(key);
    }
}
