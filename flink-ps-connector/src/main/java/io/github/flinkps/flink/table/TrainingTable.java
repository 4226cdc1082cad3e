package io.github.flinkps.flink.table;

import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import java.time.Instant;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * A model as a table, into which rows are written to train it.
 *
 * @param name of the table, for messages
 * @param root folder of models
 * @param database of the model
 * @param model its name
 * @param spec what it was declared as
 * @param remote servers that jobs use, unless its own options name some
 */
public record TrainingTable(
        String name,
        String root,
        String database,
        String model,
        ModelSpec spec,
        RemoteServers remote) {

    /** Returns what people call the model, and servers do. */
    public String nameOnServers() {
        return ServiceRegistry.nameOnServers(database, model);
    }

    /** Returns the folder of the model. */
    public String directory() {
        return new ModelRoot(root).directory(database, model);
    }

    /** Returns the folder of its versions. */
    public String versions() {
        return directory() + "/versions";
    }

    /** Returns the archive that loads versions, and makes a new one of whatever is saved. */
    public ModelArchive archive() {
        ArrowModelArchive files =
                new ArrowModelArchive(
                        nameOnServers(),
                        spec.model().name(),
                        spec.model().options(),
                        spec.recipe().toJson());
        String folder = root;
        String name = model;
        String within = database;
        return new VersionArchive(
                files,
                (versions, ahead) ->
                        new ModelRoot(folder).next(within, name, Instant.now(), ahead).directory());
    }

    /**
     * Returns the directory of the version that training goes on from; empty if it begins from
     * scratch.
     *
     * @throws IllegalArgumentException if that is one of another algorithm
     * @throws org.apache.flink.table.api.ValidationException if rows meant something else to it
     */
    public Optional<String> start() {
        Optional<ModelVersion> version = new ModelRoot(root).start(database, model);
        version.ifPresent(this::check);
        return version.map(ModelVersion::directory);
    }

    /** Returns the options of a job that trains it, but for what it begins with. */
    public Configuration jobOptions() {
        Configuration options = spec.jobOptions();
        remote.addTo(options);
        options.set(PsOptions.MODEL_ROOT, root);
        options.set(PsOptions.DATABASE, database);
        options.set(PsOptions.MODEL_NAME, model);
        options.set(PsOptions.MODEL_OUTPUT, versions());
        options.set(PsOptions.SAVE_SLOTS, true);
        return options;
    }

    private void check(ModelVersion version) {
        ModelHeader saved =
                ModelReader.readManifest(new FlinkModelStorage(), version.directory()).header();
        String algorithm = spec.model().name();
        if (!saved.algorithm().equals(algorithm)) {
            throw new IllegalArgumentException(
                    "the newest version of the model, "
                            + version.directory()
                            + ", was trained by the algorithm "
                            + saved.algorithm()
                            + ", not by "
                            + algorithm
                            + ": INSERT OVERWRITE begins from scratch");
        }
        // Options of the statement, or of a table elsewhere, may say otherwise than the catalog.
        if (RowRecipe.fromJson(saved.input()) instanceof TableRecipe trained) {
            ModelChange.check(name, ModelDefinition.of(trained), spec);
        }
    }
}
