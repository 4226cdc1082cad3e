package io.github.flinkps.flink;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelVersion;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelTable;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The versions that a run of a model has published. They lie below a model root, or in the one
 * directory in which each saving takes the place of the one before. What others have put there is
 * passed over. Calls block on the storage.
 *
 * @param model which model, of versions
 * @param directory the one directory; null for versions
 * @param run the run
 */
record RunVersions(ModelPath model, String directory, String run) implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Returns those published after one, oldest first.
     *
     * @param id of that one; empty for all
     * @param others ids of versions of other runs, which are added as they are met
     */
    List<TrainedVersion> after(String id, Set<String> others) {
        List<TrainedVersion> found = new ArrayList<>();
        for (ModelVersion version : there()) {
            boolean known = directory == null && version.id().compareTo(id) <= 0;
            if (known || others.contains(version.id())) {
                continue;
            }
            Optional<TrainedVersion> own = read(version);
            own.filter(each -> !each.id().equals(id)).ifPresent(found::add);
            if (own.isEmpty() && directory == null) {
                others.add(version.id());
            }
        }
        return found;
    }

    /** Returns the newest one. */
    Optional<TrainedVersion> newest() {
        List<ModelVersion> there = there();
        for (int i = there.size() - 1; i >= 0; i--) {
            Optional<TrainedVersion> own = read(there.get(i));
            if (own.isPresent()) {
                return own;
            }
        }
        return Optional.empty();
    }

    private List<ModelVersion> there() {
        return directory == null
                ? model.models().versions(model.database(), model.model())
                : List.of(new ModelVersion("", directory));
    }

    /** Reads what is known of a version; empty if another run has published it, or it is gone. */
    private Optional<TrainedVersion> read(ModelVersion version) {
        ModelManifest manifest;
        try {
            manifest = ModelReader.readManifest(new FlinkModelStorage(), version.directory());
        } catch (PsException e) {
            if (e.code() == ErrorCode.UNKNOWN_MODEL) {
                return Optional.empty();
            }
            throw e;
        }
        Map<String, String> facts = manifest.facts();
        if (!run.equals(facts.get(ArrowModelArchive.RUN))) {
            return Optional.empty();
        }
        Instant time = Instant.parse(facts.get(ArrowModelArchive.TIME));
        return Optional.of(
                new TrainedVersion(
                        directory == null ? version.id() : ModelVersion.id(time),
                        time,
                        ArrowModelArchive.path(version.directory()),
                        manifest.tables().stream().mapToLong(ModelTable::rows).sum()));
    }
}
