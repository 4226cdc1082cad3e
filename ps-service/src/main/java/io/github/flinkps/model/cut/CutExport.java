package io.github.flinkps.model.cut;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.ModelWriter;
import io.github.flinkps.model.StoredFile;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;

/** Makes models of cuts. Stateless; blocks its caller with input and output. */
public final class CutExport {
    private CutExport() {}

    /**
     * Writes the model as it was at a cut, as an export at that time would have: rows are caught up
     * to the step of their partition. Pushes of rounds that were not complete are left out, and
     * their number said among the facts.
     *
     * @param directory for the model, as in {@link ModelWriter#begin}
     * @param withSlots whether the model has the optimizers' slots
     * @param catchUps of tables whose rows have steps; not asked for others
     * @param parent of the allocators that are needed
     * @return what the model's manifest says
     * @throws io.github.flinkps.common.PsException CORRUPT, IO; INVALID_ARGUMENT if something else
     *     is in the directory
     */
    public static ModelManifest toModel(
            CutReader cut,
            ModelStorage storage,
            String directory,
            boolean withSlots,
            Function<TableSpec, CatchUp> catchUps,
            BufferAllocator parent) {
        CutManifest manifest = cut.manifest();
        ModelHeader trained = manifest.header().model();
        ModelHeader header =
                new ModelHeader(
                        trained.model(),
                        trained.algorithm(),
                        trained.parameters(),
                        trained.tables(),
                        trained.input(),
                        withSlots);
        try (ModelWriter writer = ModelWriter.begin(storage, directory, header, parent)) {
            for (int t = 0; t < manifest.tables().size(); t++) {
                CutTable table = manifest.tables().get(t);
                String name = table.layout().spec().name();
                for (CutPartition partition : table.partitions()) {
                    int number = partition.partition();
                    try (CaughtUpRows rows =
                            CaughtUpRows.open(cut, t, number, withSlots, catchUps)) {
                        writer.writePartition(name, number, rows, partition::steps);
                    }
                }
            }
            return writer.commit(facts(cut));
        }
    }

    private static Map<String, String> facts(CutReader cut) {
        CutManifest manifest = cut.manifest();
        Map<String, String> facts = new TreeMap<>(cut.facts());
        facts.put("cut", manifest.header().id().directoryName());
        facts.put("run", manifest.header().id().run());
        long pushes = manifest.rounds().stream().mapToLong(StoredFile::rows).sum();
        if (pushes > 0) {
            facts.put("pushes-of-unfinished-rounds", Long.toString(pushes));
        }
        return facts;
    }
}
