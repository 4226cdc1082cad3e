package io.github.flinkps.flink.table;

import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * A model as a table, into which rows are written to train it.
 *
 * @param name of the table, for messages
 * @param path of the model
 * @param spec what it was declared as
 * @param remote servers that jobs use, unless its own options name some
 */
public record TrainingTable(String name, ModelPath path, ModelSpec spec, RemoteServers remote) {

    /** Returns the folder of its versions. */
    public String versions() {
        return path.directory() + "/versions";
    }

    /** Returns the archive that loads versions, and makes a new one of whatever is saved. */
    public ModelArchive archive() {
        ArrowModelArchive files =
                new ArrowModelArchive(
                        path.nameOnServers(),
                        spec.model().name(),
                        spec.model().options(),
                        spec.recipe().toJson());
        ModelPath at = path;
        return new VersionArchive(files, (versions, ahead) -> at.nextVersion(ahead));
    }

    /**
     * Returns the directory of the version that training goes on from; empty if it begins from
     * scratch.
     *
     * @throws IllegalArgumentException if that is one of another algorithm
     * @throws org.apache.flink.table.api.ValidationException if rows meant something else to it
     */
    public Optional<String> start() {
        Optional<ModelVersion> version = path.models().start(path.database(), path.model());
        version.ifPresent(this::check);
        return version.map(ModelVersion::directory);
    }

    /** Returns the options of a job that trains it, but for what it begins with. */
    public Configuration jobOptions() {
        Configuration options = spec.jobOptions();
        remote.addTo(options);
        options.set(PsOptions.MODEL_ROOT, path.root());
        options.set(PsOptions.DATABASE, path.database());
        options.set(PsOptions.MODEL_NAME, path.model());
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
