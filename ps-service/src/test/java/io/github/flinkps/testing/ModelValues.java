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
                ModelReader reader = open(directory, memory)) {
            for (ModelTable table : reader.manifest().tables()) {
                tables.put(table.spec().name(), values(reader, table));
            }
        }
        return new ModelValues(tables);
    }

    /** Returns the values of one table, which alone needs to be of width 1. */
    public static Map<Long, Float> read(Path directory, String table) {
        try (BufferAllocator memory = new RootAllocator();
                ModelReader reader = open(directory, memory)) {
            return values(reader, reader.manifest().table(table));
        }
    }

    private static ModelReader open(Path directory, BufferAllocator memory) {
        return ModelReader.open(new LocalModelStorage(), LocalModelStorage.path(directory), memory);
    }

    private static Map<Long, Float> values(ModelReader reader, ModelTable table) {
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
        return values;
    }

    public Map<Long, Float> table(String name) {
        return tables.get(name);
    }

    public float get(String table, long key) {
        return tables.get(table).get(key);
    }
}
