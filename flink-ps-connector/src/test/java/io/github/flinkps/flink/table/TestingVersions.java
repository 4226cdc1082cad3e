package io.github.flinkps.flink.table;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelWriter;
import io.github.flinkps.model.RowBlock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;

/** Versions of a model that nobody trained. */
public final class TestingVersions {
    private final ModelRoot root;
    private final String database;
    private final String model;

    public TestingVersions(ModelRoot root, String database, String model) {
        this.root = root;
        this.database = database;
        this.model = model;
    }

    /** Publishes a version with one row in each table, of that value. */
    public String publish(Instant time, float value) {
        return publish(time, value, "");
    }

    /** Publishes a version that remembers the model's declaration. */
    public String publishDeclared(Instant time, float value) {
        return publish(time, value, spec().recipe().toJson());
    }

    private ModelSpec spec() {
        return ModelSpec.of(model, root.definition(database, model).orElseThrow());
    }

    private String publish(Instant time, float value, String input) {
        ModelSpec spec = spec();
        ModelVersion version = root.next(database, model, time);
        ModelHeader header =
                new ModelHeader(
                        model,
                        spec.model().name(),
                        spec.model().options(),
                        spec.model().tables(),
                        input,
                        false);
        try (RootAllocator memory = new RootAllocator();
                ModelWriter writer =
                        ModelWriter.begin(
                                new FlinkModelStorage(), version.directory(), header, memory)) {
            for (TableSpec table : header.tables()) {
                float[] values = new float[table.width()];
                values[0] = value;
                RowBlock row = new RowBlock(new long[1], values, new float[0][], 1);
                for (int i = 0; i < table.partitions(); i++) {
                    writer.writePartition(
                            table.name(),
                            i,
                            (i == 0 ? List.of(row) : Collections.<RowBlock>emptyList()).iterator());
                }
            }
            writer.commit(Map.of());
        }
        return version.id();
    }

    /** The value that was published in a model directory. */
    public static float read(String directory) {
        List<Float> values = new ArrayList<>();
        try (RootAllocator memory = new RootAllocator();
                ModelReader reader = ModelReader.open(new FlinkModelStorage(), directory, memory)) {
            String table = reader.manifest().tables().get(0).spec().name();
            reader.read(table, 0, block -> values.add(block.values()[0]));
        }
        return values.get(0);
    }

    public ModelVersion newest() {
        return root.newest(database, model).orElseThrow();
    }

    public List<String> ids() {
        return root.versions(database, model).stream().map(ModelVersion::id).toList();
    }
}
