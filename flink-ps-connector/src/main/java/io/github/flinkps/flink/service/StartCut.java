package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CatchUp;
import io.github.flinkps.model.cut.CaughtUpRows;
import io.github.flinkps.model.cut.CutManifests;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutReader;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * The cut of another run that a job's model begins as: values, slots and steps, caught up, without
 * pushes of rounds that were not complete. The servers and workers of the job may be others, as its
 * rows are loaded like those of a saved model.
 *
 * @param manifest of the cut
 */
public record StartCut(ManifestRef manifest) implements Serializable {
    /**
     * Returns the cut in a directory, which must be one of the model.
     *
     * @param place path or URI of the cut's directory or of its manifest
     * @param tables of the model
     * @throws IllegalArgumentException if there is none, or it is one of another model
     */
    public static StartCut at(String place, List<TableSpec> tables) {
        String end = "/" + CutPaths.MANIFEST;
        String path = place.endsWith(end) ? place : place.replaceAll("/+$", "") + end;
        ModelStorage storage = new FlinkModelStorage();
        try {
            if (!storage.exists(path)) {
                throw new IllegalArgumentException("start-cut: there is no cut " + path);
            }
            ManifestRef ref = CutManifests.at(storage, path);
            check(CutManifests.read(storage, ref).header().model().tables(), tables, path);
            return new StartCut(ref);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "start-cut: cannot read " + path + ": " + e.getMessage(), e);
        } catch (PsException e) {
            throw new IllegalArgumentException("start-cut: " + e.getMessage(), e);
        }
    }

    private static void check(List<TableSpec> saved, List<TableSpec> tables, String path) {
        for (TableSpec table : tables) {
            TableSpec same = named(saved, table.name());
            if (same == null) {
                throw otherModel(path, "has no table '" + table.name() + "'");
            }
            if (!ArrowModelArchive.sameShape(same, table)) {
                throw otherModel(
                        path,
                        "has another shape of table '"
                                + table.name()
                                + "': "
                                + same
                                + " instead of "
                                + table);
            }
        }
        for (TableSpec table : saved) {
            if (named(tables, table.name()) == null) {
                throw otherModel(path, "has a table '" + table.name() + "', the model has none");
            }
        }
    }

    private static IllegalArgumentException otherModel(String path, String why) {
        return new IllegalArgumentException(
                "start-cut: " + path + " is a cut of another model: it " + why);
    }

    private static TableSpec named(List<TableSpec> tables, String name) {
        return tables.stream().filter(table -> table.name().equals(name)).findFirst().orElse(null);
    }

    /**
     * Loads its rows into the tables, which exist and are empty. Slots are left out of a table that
     * another optimizer trains.
     *
     * @throws PsException CORRUPT or IO, naming the file and the cut
     */
    void load(ModelSession session, List<TableSpec> tables) {
        try (BufferAllocator memory = new RootAllocator();
                CutReader reader = CutReader.open(new FlinkModelStorage(), manifest, memory)) {
            for (TableSpec table : tables) {
                load(session, table, reader, manifest.path());
            }
        }
    }

    private static void load(
            ModelSession session, TableSpec table, CutReader reader, String manifest) {
        int index = reader.indexOf(table.name());
        TableSpec saved = reader.manifest().tables().get(index).layout().spec();
        boolean slots = RowLoads.takesSlots(saved, table, manifest);
        RowLoads loads = new RowLoads(session, table, slots);
        try {
            for (var partition : reader.manifest().tables().get(index).partitions()) {
                int number = partition.partition();
                try (CaughtUpRows rows =
                        CaughtUpRows.open(reader, index, number, slots, StartCut::catchUp)) {
                    while (rows.hasNext()) {
                        loads.add(number, partition.steps(), rows.next());
                    }
                }
                loads.endPartition(number, partition.steps());
            }
        } finally {
            loads.finish();
        }
    }

    /** Returns what catches rows up as the update function of a table does. */
    public static CatchUp catchUp(TableSpec table) {
        UpdateFunction function = UpdateFunctions.create(table.update());
        return function::catchUp;
    }
}
