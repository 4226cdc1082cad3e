package io.github.flinkps.flink.table.connector;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.data.TextInput;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.table.ModelChange;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.ModelVersion;
import io.github.flinkps.model.ModelCopy;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.Path;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;

/**
 * Changes versions of models as people ask by procedures. Models are named {@code model}, {@code
 * database.model} or {@code catalog.database.model}. Blocks its caller with input and output; a
 * mistake is a {@link ValidationException}.
 */
final class ModelVersions {
    private static final long MEMORY = 64L << 20;
    private static final ConfigOption<Duration> OLDER_THAN =
            ConfigOptions.key("older_than").durationType().defaultValue(Duration.ZERO);

    private final ModelStorage storage = new FlinkModelStorage();
    private final String catalog;
    private final ModelRoot root;
    private final Clock clock;

    ModelVersions(String catalog, ModelRoot root, Clock clock) {
        this.catalog = catalog;
        this.root = root;
        this.clock = clock;
    }

    /** A model that is there. */
    private record Name(String database, String model) {
        @Override
        public String toString() {
            return database + "." + model;
        }
    }

    private Name find(String text) {
        String name = text == null ? "" : text.replace("`", "");
        List<String> ways = new ArrayList<>();
        ways.add(name);
        if (name.startsWith(catalog + ".")) {
            ways.add(name.substring(catalog.length() + 1));
        }
        for (String way : ways) {
            int dot = way.indexOf('.');
            if (dot > 0 && root.hasModel(way.substring(0, dot), way.substring(dot + 1))) {
                return new Name(way.substring(0, dot), way.substring(dot + 1));
            }
            if (root.hasModel(ServiceRegistry.DEFAULT_DATABASE, way)) {
                return new Name(ServiceRegistry.DEFAULT_DATABASE, way);
            }
        }
        throw new ValidationException(
                "there is no model '" + name + "' in " + root.location() + ": name it DB.MODEL");
    }

    private ModelVersion version(Name model, String id) {
        try {
            return root.version(model.database(), model.model(), id);
        } catch (IllegalArgumentException e) {
            throw ModelSpec.refused(e.getMessage(), e);
        }
    }

    private Optional<ModelVersion> newest(Name model) {
        return root.newest(model.database(), model.model());
    }

    private Optional<ModelVersion> start(Name model) {
        return root.start(model.database(), model.model());
    }

    /** Makes a model directory of a version: of the newest one unless it is given. */
    Row[] export(String model, String directory, String id) {
        Name name = find(model);
        if (directory == null || directory.isBlank()) {
            throw new ValidationException("argument 'directory' must name a directory");
        }
        ModelVersion version =
                id != null
                        ? version(name, id)
                        : newest(name)
                                .orElseThrow(
                                        () ->
                                                new ValidationException(
                                                        "model "
                                                                + name
                                                                + " is not trained: it has no"
                                                                + " version to export"));
        String target = TextInput.absolute(directory);
        checkTarget(directory, target);
        ModelManifest copied = copy(name, version, id != null, target, Map.of());
        return rows(Row.of(version.id(), directory, copied.parameters()));
    }

    /** Refuses to replace what is no model, or one that is a catalog's. */
    private void checkTarget(String directory, String target) {
        if (qualified(target).startsWith(qualified(root.location()) + "/")) {
            throw new ValidationException(
                    "argument 'directory': "
                            + directory
                            + " is among the models of "
                            + root.location()
                            + ": name a folder outside of it");
        }
        try {
            if (storage.exists(target + "/" + ModelManifest.FILE)) {
                ModelReader.readManifest(storage, target);
            }
        } catch (PsException e) {
            throw ModelSpec.refused(
                    "argument 'directory': "
                            + directory
                            + " is there and is no model that could be replaced: "
                            + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("looking for " + target + " failed", e);
        }
    }

    /** Returns a path as only one text names it. */
    private static String qualified(String path) {
        return new Path(path).toUri().normalize().getPath();
    }

    /** Publishes a copy of an older version as the newest one. */
    Row[] rollback(String model, String id) {
        Name name = find(model);
        ModelVersion version = version(name, id);
        if (start(name).filter(version::equals).isPresent()) {
            throw new ValidationException(
                    "version " + id + " of model " + name + " is the newest already");
        }
        ModelManifest manifest = checked(() -> version.manifest(name.toString(), true));
        ModelSpec spec =
                ModelSpec.of(
                        name.toString(),
                        root.definition(name.database(), name.model()).orElseThrow());
        if (!spec.model().name().equals(manifest.header().algorithm())
                || !ModelChange.sameTables(manifest.header().tables(), spec.model().tables())) {
            throw new ValidationException(
                    "version "
                            + id
                            + " of model "
                            + name
                            + " is of another shape than its definition has now: export it, or"
                            + " change the definition back");
        }
        ModelVersion next = root.next(name.database(), name.model(), clock.instant());
        Map<String, String> facts =
                Map.of(
                        "copy-of",
                        id,
                        // What trained the older one may still train, and has newer parameters.
                        ArrowModelArchive.SERVERS,
                        "",
                        ArrowModelArchive.ATTEMPT,
                        "");
        copy(name, version, true, next.directory(), facts);
        return rows(Row.of(next.id(), id));
    }

    private ModelManifest copy(
            Name model,
            ModelVersion version,
            boolean named,
            String directory,
            Map<String, String> facts) {
        Supplier<ModelManifest> copying =
                () -> {
                    try (BufferAllocator memory = new RootAllocator(MEMORY);
                            ModelReader reader =
                                    ModelReader.open(storage, version.directory(), memory)) {
                        return ModelCopy.copy(reader, storage, directory, facts, memory);
                    }
                };
        return checked(() -> version.reading(model.toString(), named, copying));
    }

    private static <T> T checked(Supplier<T> call) {
        try {
            return call.get();
        } catch (PsException e) {
            throw e.code() == ErrorCode.IO ? e : ModelSpec.refused(e.getMessage(), e);
        }
    }

    /** Removes a version, which must not be the newest one. */
    Row[] drop(String model, String id) {
        Name name = find(model);
        ModelVersion version = version(name, id);
        if (newest(name).filter(version::equals).isPresent()) {
            throw new ValidationException(
                    "version "
                            + id
                            + " of model "
                            + name
                            + " is the newest, which statements use: CALL"
                            + " sys.rollback_model to another one first");
        }
        root.dropVersion(version);
        return rows(Row.of(id));
    }

    /** Removes all versions but the newest ones, and those that are younger than a time. */
    Row[] expire(String model, Integer keep, String olderThan) {
        Name name = find(model);
        if (keep == null || keep < 1) {
            throw new ValidationException(
                    "argument 'keep' must be at least 1: the versions that stay, not " + keep);
        }
        Instant before = clock.instant().minus(age(olderThan));
        List<ModelVersion> all = root.versions(name.database(), name.model());
        List<Row> dropped = new ArrayList<>();
        for (ModelVersion version : all.subList(0, Math.max(0, all.size() - keep))) {
            if (version.published().isBefore(before)) {
                root.dropVersion(version);
                dropped.add(Row.of(version.id()));
            }
        }
        return dropped.toArray(new Row[0]);
    }

    private static Duration age(String olderThan) {
        try {
            return olderThan == null
                    ? Duration.ZERO
                    : Configuration.fromMap(Map.of(OLDER_THAN.key(), olderThan)).get(OLDER_THAN);
        } catch (IllegalArgumentException e) {
            throw ModelSpec.refused(
                    "argument 'older_than' must be a duration such as '7 d', not '"
                            + olderThan
                            + "'",
                    e);
        }
    }

    /** Lets the next training begin from scratch; versions stay. */
    Row[] reset(String model) {
        Name name = find(model);
        Optional<ModelVersion> before = start(name);
        if (before.isPresent()) {
            root.reset(name.database(), name.model(), clock.instant());
        }
        return rows(Row.of(name.toString(), before.map(ModelVersion::id).orElse(null)));
    }

    private static Row[] rows(Row row) {
        return new Row[] {row};
    }
}
