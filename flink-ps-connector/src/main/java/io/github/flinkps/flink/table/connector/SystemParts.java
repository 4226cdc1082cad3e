package io.github.flinkps.flink.table.connector;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.ModelVersion;
import io.github.flinkps.flink.table.RootLocator;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.ModelTable;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;

/** The parts that {@link SystemTable}s of models are made of. */
final class SystemParts {
    /** The limit of the allocator for reading a model, in bytes; a reader needs less. */
    private static final long MEMORY = 64L << 20;

    /**
     * The time for which servers are shown whose entry nobody renews; it may be a clock's fault.
     */
    private static final Duration LONGEST_SHOWN = Duration.ofHours(1);

    private static final String ROWS = "trained-rows";

    private SystemParts() {}

    /** Returns the versions of a model, oldest first. */
    static SystemPart versions(ModelPath model) {
        return out -> {
            ModelStorage storage = new FlinkModelStorage();
            for (ModelVersion version : model.models().versions(model.database(), model.model())) {
                try {
                    out.accept(
                            version(
                                    version,
                                    ModelReader.readManifest(storage, version.directory())));
                } catch (PsException e) {
                    if (e.code() == ErrorCode.CORRUPT) {
                        out.accept(unreadable(version));
                    } else if (e.code() != ErrorCode.UNKNOWN_MODEL) {
                        throw e;
                    } // else it was dropped just now
                }
            }
        };
    }

    private static RowData version(ModelVersion version, ModelManifest manifest) {
        Map<StringData, StringData> facts = new HashMap<>();
        manifest.facts().forEach((name, value) -> facts.put(text(name), text(value)));
        return GenericRowData.of(
                text(version.id()),
                time(version.published()),
                text(manifest.header().algorithm()),
                manifest.parameters(),
                manifest.bytes(),
                new GenericMapData(facts),
                text(version.directory()));
    }

    /** Returns a version that is listed nevertheless, so that another one is found in its place. */
    private static RowData unreadable(ModelVersion version) {
        return GenericRowData.of(
                text(version.id()),
                time(version.published()),
                null,
                null,
                null,
                null,
                text(version.directory()));
    }

    /**
     * Returns what was measured at the cuts of a model that are kept, run by run, oldest first, and
     * then at the ends of runs without such cuts, as their versions tell.
     */
    static SystemPart metrics(ModelPath model) {
        return out -> {
            ModelStorage storage = new FlinkModelStorage();
            CutCatalog cuts = new CutCatalog(storage, model.directory());
            Set<String> measured = new HashSet<>();
            for (String run : cuts.runs()) {
                for (CutSummary cut : cuts.list(run).cuts()) {
                    measured.add(run);
                    Long number = cut.id().number();
                    out.accept(measure(run, number, cut.time(), cuts.facts(cut.id())));
                }
            }
            for (ModelVersion version : model.models().versions(model.database(), model.model())) {
                Map<String, String> facts = facts(storage, version);
                String run = facts.get(ArrowModelArchive.RUN);
                if (run != null
                        && facts.containsKey(ROWS)
                        && measured.add(run)) { // a copy has the same facts
                    out.accept(measure(run, null, version.published(), facts));
                }
            }
        };
    }

    private static RowData measure(
            String run, Long checkpoint, Instant taken, Map<String, String> facts) {
        String rows = facts.get(ROWS);
        String loss = facts.get("training-loss");
        return GenericRowData.of(
                text(run),
                checkpoint,
                time(taken),
                rows == null ? null : Long.valueOf(rows),
                loss == null ? null : Double.valueOf(loss));
    }

    /** Returns the facts of a version; none of one that is damaged, or gone. */
    private static Map<String, String> facts(ModelStorage storage, ModelVersion version) {
        try {
            return ModelReader.readManifest(storage, version.directory()).facts();
        } catch (PsException e) {
            if (e.code() == ErrorCode.CORRUPT || e.code() == ErrorCode.UNKNOWN_MODEL) {
                return Map.of();
            }
            throw e;
        }
    }

    /** Returns the servers of the jobs that train a model now, of the newest job first. */
    static SystemPart servers(RootLocator model) {
        return out -> {
            long since = System.currentTimeMillis() - LONGEST_SHOWN.toMillis();
            for (ServiceAddress job : model.live()) {
                if (job.expiryMillis() < since) {
                    continue;
                }
                for (int i = 0; i < job.addresses().size(); i++) {
                    out.accept(
                            GenericRowData.of(
                                    text(job.run()),
                                    i,
                                    text(job.addresses().get(i)),
                                    time(Instant.ofEpochMilli(job.expiryMillis()))));
                }
            }
        };
    }

    /**
     * Returns the parameters of a version: a part for each of its files.
     *
     * @param manifest of the version
     */
    static List<SystemPart> parameters(
            ModelVersion version, ModelManifest manifest, ModelSpec spec) {
        List<SystemPart> parts = new ArrayList<>();
        for (ModelTable table : manifest.tables()) {
            HashMap<Long, String> names = new HashMap<>(spec.featureNames(table.spec()));
            for (int i = 0; i < table.files().size(); i++) {
                parts.add(new Parameters(version.directory(), table.spec().name(), i, names));
            }
        }
        return parts;
    }

    /**
     * A file of parameters.
     *
     * @param names of features by key, as far as they are known
     */
    private record Parameters(
            String directory, String table, int partition, HashMap<Long, String> names)
            implements SystemPart {
        @Override
        public void read(Consumer<RowData> out) {
            try (BufferAllocator memory = new RootAllocator(MEMORY);
                    ModelReader reader =
                            ModelReader.open(new FlinkModelStorage(), directory, memory)) {
                int width = reader.manifest().table(table).spec().width();
                reader.read(table, partition, block -> rows(block, width, out));
            }
        }

        private void rows(RowBlock block, int width, Consumer<RowData> out) {
            StringData name = text(table);
            for (int i = 0; i < block.rows(); i++) {
                out.accept(
                        GenericRowData.of(
                                name,
                                block.keys()[i],
                                text(names.get(block.keys()[i])),
                                row(block.values(), i, width),
                                slots(block.slots(), i, width)));
            }
        }

        private static GenericArrayData slots(float[][] slots, int i, int width) {
            return slots.length == 0
                    ? null
                    : new GenericArrayData(
                            Arrays.stream(slots).map(slot -> row(slot, i, width)).toArray());
        }
    }

    /** Returns one of the rows of an array. */
    static GenericArrayData row(float[] values, int i, int width) {
        return new GenericArrayData(Arrays.copyOfRange(values, i * width, (i + 1) * width));
    }

    private static StringData text(String text) {
        return StringData.fromString(text);
    }

    private static TimestampData time(Instant time) {
        return TimestampData.fromInstant(time);
    }
}
