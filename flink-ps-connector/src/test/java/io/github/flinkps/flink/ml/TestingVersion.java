package io.github.flinkps.flink.ml;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelWriter;
import io.github.flinkps.model.RowBlock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;

/** Saves versions of a small model. */
final class TestingVersion {
    private TestingVersion() {}

    /** Saves a version that takes x times the weight for the label. */
    static ModelData save(Path folder, long number, float weight) throws IOException {
        ModelSpec spec =
                ModelSpec.of(
                        "m",
                        new ModelDefinition(
                                "",
                                List.of(
                                        ModelColumn.of("x", "DOUBLE"),
                                        ModelColumn.of("y", "DOUBLE")),
                                Map.of(
                                        "algorithm", "linear-regression",
                                        "label", "y",
                                        "numeric", "none",
                                        "features", "1")));
        ModelHeader header =
                new ModelHeader(
                        "m",
                        spec.model().name(),
                        spec.model().options(),
                        spec.model().tables(),
                        spec.recipe().toJson(),
                        false);
        Path directory = folder.resolve(Long.toString(number));
        try (RootAllocator memory = new RootAllocator();
                ModelWriter writer =
                        ModelWriter.begin(
                                new LocalModelStorage(), directory.toString(), header, memory)) {
            for (TableSpec table : header.tables()) {
                float[] value = {table.name().equals("weights") ? weight : 0};
                RowBlock row = new RowBlock(new long[1], value, new float[0][], 1);
                for (int i = 0; i < table.partitions(); i++) {
                    writer.writePartition(
                            table.name(),
                            i,
                            (i == 0 ? List.of(row) : List.<RowBlock>of()).iterator());
                }
            }
            writer.commit(Map.of());
        }
        return ModelData.of(directory.toString(), number);
    }

    /** Removes its files. */
    static void remove(ModelData data) throws IOException {
        ModelData.storage(data.path()).delete(data.path());
    }
}
