package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainOnRecordsITCase {
    @Test
    void learnsWhichAdIsClicked(@TempDir Path folder, BufferAllocator allocator) throws Exception {
        Path model = folder.resolve("model");
        TrainOnRecords.main(new String[] {model.toString()});
        Map<Long, Float> weights = new HashMap<>();
        try (ModelReader reader =
                ModelReader.open(new LocalModelStorage(), model.toString(), allocator)) {
            reader.read(
                    "weights",
                    block -> {
                        for (int i = 0; i < block.rows(); i++) {
                            weights.put(block.keys()[i], block.values()[i]);
                        }
                    });
        }
        assertThat(weights.get(TrainOnRecords.key("ad", "shoes"))).isPositive();
        assertThat(weights.get(TrainOnRecords.key("ad", "bank"))).isNegative();
    }
}
