package io.github.flinkps.model.cut;

import static io.github.flinkps.model.JsonFields.elements;
import static io.github.flinkps.model.JsonFields.field;
import static io.github.flinkps.model.JsonFields.integer;
import static io.github.flinkps.model.JsonFields.text;
import static io.github.flinkps.model.JsonFields.texts;
import static io.github.flinkps.model.JsonFields.whole;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.model.JsonFields;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableJson;
import io.github.flinkps.model.TableLayout;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The manifest of a cut as JSON. */
final class CutManifestJson {
    private static final String FORMAT = "flink-ps-cut";

    private CutManifestJson() {}

    static byte[] write(CutManifest manifest) {
        CutHeader header = manifest.header();
        ObjectNode root = JsonFields.begin(FORMAT, CutManifest.FORMAT_VERSION);
        root.put("run", header.id().run()).put("fence", header.id().fence());
        root.put("cut", header.id().number()).put("time", header.time().toString());
        root.put("savepoint", header.savepoint());
        header.base()
                .ifPresent(
                        base ->
                                root.putObject("base")
                                        .put("cut", base.cut().number())
                                        .put("fence", base.cut().fence())
                                        .put(
                                                JsonFields.CHECKSUM,
                                                JsonFields.checksum(base.crc32c())));
        root.putObject("consistency")
                .put("kind", lower(header.consistency().kind()))
                .put("staleness", header.consistency().staleness())
                .put("predicate", header.consistency().predicate());
        ArrayNode clocks = root.putArray("workers");
        manifest.clocks()
                .forEach(
                        clock ->
                                clocks.addObject()
                                        .put("state", lower(clock.state()))
                                        .put("clock", clock.clock()));
        ModelHeader model = header.model();
        root.put("model", model.model()).put("algorithm", model.algorithm());
        root.set("parameters", texts(model.parameters()));
        root.put("input", model.input());
        ArrayNode tables = root.putArray("tables");
        manifest.tables().forEach(table -> tables.add(table(table)));
        ArrayNode rounds = root.putArray("rounds");
        manifest.rounds().forEach(file -> put(rounds.addObject(), file));
        return JsonFields.seal(root);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode table(CutTable table) {
        ObjectNode node = TableJson.write(table.layout().spec());
        node.put("slots", table.layout().slots()).put("steps", table.layout().steps());
        ArrayNode states = node.putArray("states");
        for (CutPartition partition : table.partitions()) {
            ObjectNode state =
                    states.addObject()
                            .put("rows", partition.rows())
                            .put("step", partition.step())
                            .put("rounds", partition.steps().rounds())
                            .put("ofRound", partition.steps().ofRound())
                            .put("stepsBefore", partition.stepsBefore());
            if (partition.file() != null) {
                put(state.putObject("file"), partition.file());
            }
        }
        return node;
    }

    private static void put(ObjectNode node, StoredFile file) {
        node.put("path", file.path())
                .put("rows", file.rows())
                .put("bytes", file.bytes())
                .put(JsonFields.CHECKSUM, JsonFields.checksum(file.crc32c()));
    }

    /**
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    static CutManifest read(byte[] json) {
        ObjectNode root = JsonFields.open(json, FORMAT, "cut", CutManifest.FORMAT_VERSION);
        CutId id = new CutId(text(root, "run"), whole(root, "fence"), whole(root, "cut"));
        List<CutClock> clocks = elements(root, "workers", CutManifestJson::clock);
        ConsistencySpec consistency = consistency(field(root, "consistency"));
        boolean bsp = consistency.kind() == ConsistencySpec.Kind.BSP;
        int stepsOfRound = bsp ? 1 : Math.max(1, clocks.size());
        List<CutTable> tables = new ArrayList<>();
        field(root, "tables").forEach(node -> tables.add(table(tables.size(), node, stepsOfRound)));
        ModelHeader model =
                new ModelHeader(
                        text(root, "model"),
                        text(root, "algorithm"),
                        texts(root, "parameters"),
                        tables.stream().map(table -> table.layout().spec()).toList(),
                        text(root, "input"),
                        true);
        CutHeader header =
                new CutHeader(
                        model,
                        id,
                        time(text(root, "time")),
                        root.path("savepoint").asBoolean(true), // if not told, it may be
                        consistency,
                        clocks.size(),
                        base(id.run(), root.get("base")));
        List<StoredFile> rounds = elements(root, "rounds", CutManifestJson::file);
        return new CutManifest(header, clocks, tables, rounds);
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is not a time", e);
        }
    }

    private static Optional<CutBase> base(String run, JsonNode node) {
        if (node == null) {
            return Optional.empty();
        }
        CutId cut = new CutId(run, whole(node, "fence"), whole(node, "cut"));
        return Optional.of(new CutBase(cut, JsonFields.crc32c(node, JsonFields.CHECKSUM)));
    }

    private static ConsistencySpec consistency(JsonNode node) {
        return new ConsistencySpec(
                ConsistencySpec.Kind.valueOf(text(node, "kind").toUpperCase(Locale.ROOT)),
                integer(node, "staleness"),
                text(node, "predicate"));
    }

    private static CutClock clock(JsonNode node) {
        return new CutClock(
                CutClock.State.valueOf(text(node, "state").toUpperCase(Locale.ROOT)),
                whole(node, "clock"));
    }

    private static CutTable table(int index, JsonNode node, int stepsOfRound) {
        TableLayout layout =
                new TableLayout(
                        TableJson.read(node),
                        integer(node, "slots"),
                        field(node, "steps").asBoolean());
        List<CutPartition> partitions = new ArrayList<>();
        for (JsonNode state : field(node, "states")) {
            partitions.add(
                    new CutPartition(
                            index,
                            partitions.size(),
                            whole(state, "rows"),
                            steps(state, stepsOfRound),
                            whole(state, "stepsBefore"),
                            state.has("file") ? file(state.get("file")) : null));
        }
        return new CutTable(layout, partitions);
    }

    private static StepCounts steps(JsonNode state, int stepsOfRound) {
        long step = whole(state, "step");
        return state.has("rounds")
                ? new StepCounts(step, whole(state, "rounds"), whole(state, "ofRound"))
                : new StepCounts(step, step / stepsOfRound, step % stepsOfRound); // of version 1
    }

    private static StoredFile file(JsonNode node) {
        return new StoredFile(
                text(node, "path"),
                whole(node, "rows"),
                whole(node, "bytes"),
                JsonFields.crc32c(node, JsonFields.CHECKSUM));
    }
}
