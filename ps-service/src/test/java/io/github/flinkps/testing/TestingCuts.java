package io.github.flinkps.testing;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.cut.CutBase;
import io.github.flinkps.model.cut.CutExport;
import io.github.flinkps.model.cut.CutHeader;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutManifest;
import io.github.flinkps.model.cut.CutManifests;
import io.github.flinkps.model.cut.CutReader;
import io.github.flinkps.model.cut.CutTable;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.update.UpdateFunctions;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Writes the manifests of cuts, and reads what cuts hold. */
public final class TestingCuts implements AutoCloseable {
    private static final String RUN = "run";

    private final ModelStorage storage;
    private final BufferAllocator allocator = new RootAllocator();
    private final Map<CutId, ManifestRef> written = new HashMap<>();
    private final String directory;
    private final ConsistencySpec consistency;
    private final int workers;

    public TestingCuts(
            ModelStorage storage, String directory, ConsistencySpec consistency, int workers) {
        this.storage = storage;
        this.directory = directory;
        this.consistency = consistency;
        this.workers = workers;
    }

    /** Returns the directory of the model. */
    public String directory() {
        return directory;
    }

    /** Publishes a cut. */
    public ManifestRef write(long fence, long cut, CutReport report) {
        return write(fence, cut, workers, report);
    }

    /** Publishes a cut of an attempt with another number of workers. */
    public ManifestRef write(long fence, long cut, int ofWorkers, CutReport report) {
        CutId id = new CutId(RUN, fence, cut);
        Optional<CutBase> base = Optional.empty();
        if (report.base() > 0) {
            CutId before = new CutId(RUN, fence, report.base());
            base = Optional.of(new CutBase(before, written.get(before).crc32c()));
        }
        List<TableSpec> tables = report.layouts().stream().map(TableLayout::spec).toList();
        CutHeader header =
                new CutHeader(
                        new ModelHeader("m", "none", Map.of(), tables, "", true),
                        id,
                        Instant.ofEpochMilli(cut),
                        false,
                        consistency,
                        ofWorkers,
                        base);
        CutManifest manifest = CutManifest.merge(header, report.layouts(), report.parts());
        ManifestRef ref = CutManifests.publish(storage, directory, manifest);
        written.put(id, ref);
        return ref;
    }

    /** Returns the first value of each row of a cut by key, by table. */
    public Map<String, Map<Long, Float>> read(ManifestRef ref) {
        Map<String, Map<Long, Float>> tables = new HashMap<>();
        try (CutReader reader = CutReader.open(storage, ref, allocator)) {
            for (CutTable table : reader.manifest().tables()) {
                TableSpec spec = table.layout().spec();
                Map<Long, Float> rows = new HashMap<>();
                tables.put(spec.name(), rows);
                for (int p = 0; p < spec.partitions(); p++) {
                    reader.read(spec.name(), p, block -> add(rows, block, spec.width()));
                }
            }
            reader.readRounds(
                    push -> {
                        TableSpec spec =
                                reader.manifest().tables().get(push.table()).layout().spec();
                        for (int i = 0; i < push.keys().length; i++) {
                            tables.get(spec.name())
                                    .merge(
                                            push.keys()[i],
                                            push.gradients()[i * spec.width()],
                                            Float::sum);
                        }
                    });
        }
        return tables;
    }

    /**
     * Makes a model of a cut and returns its rows by key, by table. The cut's optimizers are looked
     * up by their names.
     */
    public Map<String, Map<Long, float[]>> export(ManifestRef ref, String folder) {
        try (CutReader cut = CutReader.open(storage, ref, allocator)) {
            CutExport.toModel(
                    cut,
                    storage,
                    folder,
                    false,
                    spec -> UpdateFunctions.create(spec.update())::catchUp,
                    allocator);
        }
        Map<String, Map<Long, float[]>> tables = new HashMap<>();
        try (ModelReader model = ModelReader.open(storage, folder, allocator)) {
            for (TableSpec spec : model.manifest().header().tables()) {
                Map<Long, float[]> rows = new HashMap<>();
                tables.put(spec.name(), rows);
                model.read(
                        spec.name(),
                        block -> {
                            for (int i = 0; i < block.rows(); i++) {
                                int from = i * spec.width();
                                rows.put(
                                        block.keys()[i],
                                        Arrays.copyOfRange(
                                                block.values(), from, from + spec.width()));
                            }
                        });
            }
        }
        return tables;
    }

    private static void add(Map<Long, Float> rows, RowBlock block, int width) {
        for (int i = 0; i < block.rows(); i++) {
            rows.put(block.keys()[i], block.values()[i * width]);
        }
    }

    @Override
    public void close() {
        allocator.close();
    }
}
