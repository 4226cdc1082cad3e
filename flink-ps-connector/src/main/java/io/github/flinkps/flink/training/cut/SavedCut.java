package io.github.flinkps.flink.training.cut;

import io.github.flinkps.flink.data.TextInput;
import io.github.flinkps.flink.internal.compat.SavedOperatorState;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The cut that a savepoint or a retained checkpoint refers to, of one of the job's models.
 *
 * @param operator the id by which Flink knows the operator that trains, 32 hexadecimal digits
 * @param cut which one
 * @param manifest of the cut, on the storage of the job
 */
public record SavedCut(String operator, CutId cut, ManifestRef manifest) {
    /**
     * Returns the name of the model, as servers call it; empty if the cut lies at no usual place.
     */
    public String model() {
        return CutPaths.modelDirectory(manifest.path(), cut)
                .map(directory -> directory.split("/"))
                .map(
                        names ->
                                ServiceRegistry.nameOnServers(
                                        names.length > 1 ? names[names.length - 2] : "",
                                        names[names.length - 1]))
                .orElse("");
    }

    /**
     * Returns the uid of the operator that trains a model, and so the same in every job that does.
     */
    public static String uid(String model) {
        return "flink-ps-train-" + model;
    }

    /**
     * Looks into a savepoint or a retained checkpoint, with no job running.
     *
     * @param path of its directory or its {@code _metadata} file, or a URI
     * @return the cuts of all models that the job trains; none if no operator of the job trains
     * @throws IOException if it is not there or cannot be read
     */
    public static List<SavedCut> of(String path) throws IOException {
        List<SavedCut> cuts = new ArrayList<>();
        for (var state :
                SavedOperatorState.broadcast(
                        TextInput.absolute(path), CutRefSerializer.descriptor())) {
            for (CutRef each : state.entries().values()) {
                cuts.add(of(path, state.operator(), each));
            }
        }
        return cuts;
    }

    private static SavedCut of(String path, String operator, CutRef saved) throws IOException {
        try {
            CutRef ref = saved.canonical();
            return new SavedCut(operator, ref.name(), ref.manifest());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the savepoint "
                            + path
                            + " is damaged or incomplete: its cut lies at no path, "
                            + e.getMessage(),
                    e);
        }
    }
}
