package io.github.flinkps.cli.job;

import io.github.flinkps.cli.CommandException;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A model directory of this machine.
 *
 * @param directory absolute
 * @param manifest checked
 */
public record SavedModel(Path directory, ModelManifest manifest) {
    /**
     * Reads the manifest.
     *
     * @param option that names the directory, for messages
     * @throws CommandException when there is no model or its manifest is damaged
     */
    public static SavedModel open(String option, Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(absolute)) {
            throw new CommandException(option + ": there is no model directory " + directory);
        }
        try {
            return new SavedModel(
                    absolute,
                    ModelReader.readManifest(
                            new LocalModelStorage(), LocalModelStorage.path(absolute)));
        } catch (PsException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    /** The algorithm it was trained with. */
    public TrainingModel model() {
        return TrainingModels.create(manifest.header().algorithm(), manifest.header().parameters());
    }
}
