package io.github.flinkps.examples.cluster;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelTable;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * All values of a saved model of rows of width 1, to the bit.
 *
 * @param tables the bits by table and key
 */
record ModelValues(Map<String, Map<Long, Integer>> tables) {
    static ModelValues read(Path directory) {
        Map<String, Map<Long, Integer>> tables = new TreeMap<>();
        try (BufferAllocator memory = new RootAllocator();
                ModelReader reader =
                        ModelReader.open(
                                new LocalModelStorage(),
                                LocalModelStorage.path(directory),
                                memory)) {
            for (ModelTable table : reader.manifest().tables()) {
                Map<Long, Integer> bits = new TreeMap<>();
                reader.read(
                        table.spec().name(),
                        block -> {
                            for (int i = 0; i < block.rows(); i++) {
                                bits.put(
                                        block.keys()[i],
                                        Float.floatToRawIntBits(block.values()[i]));
                            }
                        });
                tables.put(table.spec().name(), bits);
            }
        }
        return new ModelValues(tables);
    }

    float get(String table, long key) {
        return Float.intBitsToFloat(tables.get(table).get(key));
    }
}
