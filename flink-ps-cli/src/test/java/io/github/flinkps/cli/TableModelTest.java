package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableModelTest {
    @TempDir Path folder;

    /** Their columns are encoded by type, which files do not have. */
    @Test
    void modelsOfTablesAreNotMisread(BufferAllocator allocator) throws IOException {
        LogisticRegression model = LogisticRegression.builder().build();
        TableRecipe recipe =
                new TableRecipe(
                        List.of(
                                new TableRecipe.Column("y", "BOOLEAN"),
                                new TableRecipe.Column("x", "DOUBLE")),
                        Map.of("label", "y"));
        Path directory = folder.resolve("model");
        ModelHeader header =
                new ModelHeader(
                        "m", model.name(), model.options(), model.tables(), recipe.toJson(), false);
        try (ModelWriter writer =
                ModelWriter.begin(
                        new LocalModelStorage(),
                        LocalModelStorage.path(directory),
                        header,
                        allocator)) {
            for (TableSpec table : model.tables()) {
                for (int partition = 0; partition < table.partitions(); partition++) {
                    writer.writePartition(table.name(), partition, Collections.emptyIterator());
                }
            }
            writer.commit(Map.of());
        }
        Path rows = Files.writeString(folder.resolve("rows.csv"), "y,x\n1,2\n");
        for (String command :
                List.of(
                        "predict --model %s --input %s --output " + folder.resolve("out"),
                        "predict --format csv --model %s --input %s --output " + folder + "/out",
                        "train --initial-model %s --input %s --model " + folder.resolve("next"))) {
            TestingCommand ran = TestingCommand.run(command.formatted(directory, rows).split(" "));
            assertThat(ran.exitCode()).as(command).isEqualTo(ExitCodes.FAILED);
            assertThat(ran.err())
                    .contains("was trained by SQL on rows of a table (y, x)", "use it in SQL");
        }
    }
}
