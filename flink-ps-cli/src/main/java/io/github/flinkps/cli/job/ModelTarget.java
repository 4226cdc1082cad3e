package io.github.flinkps.cli.job;

import io.github.flinkps.cli.CommandException;
import io.github.flinkps.cli.Failures;
import io.github.flinkps.cli.RunScope;
import io.github.flinkps.model.ModelManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory a trained model is put into. It is trained into a hidden folder beside it and moved
 * into place when all is well, so that a command that fails leaves there what was there before.
 */
public final class ModelTarget {
    private final String option;
    private final Path directory;

    private ModelTarget(String option, Path directory) {
        this.option = option;
        this.directory = directory;
    }

    /**
     * A directory that is absent, empty or holds a model, which will be replaced.
     *
     * @param option that names it, for messages
     * @throws CommandException if something else is there, or nothing can be written there
     */
    public static ModelTarget of(String option, Path directory) {
        Path path = directory.toAbsolutePath().normalize();
        if (path.getFileName() == null) {
            throw new CommandException(option + " " + directory + " is no name for a model");
        }
        if (Files.exists(path)) {
            checkReplaceable(option, path);
        }
        Path folder = path.getParent();
        while (!Files.exists(folder)) {
            folder = folder.getParent();
        }
        if (!Files.isDirectory(folder)) {
            throw new CommandException(option + " " + directory + ": " + folder + " is a file");
        }
        if (!Files.isWritable(folder)) {
            throw new CommandException(
                    option + " " + directory + ": no permission to write to " + folder);
        }
        return new ModelTarget(option, path);
    }

    private static void checkReplaceable(String option, Path path) {
        if (!Files.isDirectory(path)) {
            throw new CommandException(
                    option + " " + path + " is a file; give a directory for the model");
        }
        try (Stream<Path> entries = Files.list(path)) {
            List<String> names = entries.map(entry -> entry.getFileName().toString()).toList();
            if (!names.isEmpty() && !names.contains(ModelManifest.FILE)) {
                throw new CommandException(
                        option
                                + " "
                                + path
                                + " holds other files and no model; choose another directory");
            }
        } catch (IOException e) {
            throw new CommandException(option + " " + Failures.reason(e), e);
        }
    }

    public Path directory() {
        return directory;
    }

    /** A hidden place beside the directory; goes with the scope. */
    Path staging(RunScope scope) {
        try {
            Files.createDirectories(directory.getParent());
            return scope.temporaryFolderBeside(directory).resolve("model");
        } catch (IOException e) {
            throw new CommandException(
                    "cannot write to " + option + " " + directory + ": " + Failures.reason(e), e);
        }
    }

    /** Moves the model from its hidden place to the directory. */
    void publish(Path staged, RunScope scope) {
        try {
            scope.commit(
                    () -> {
                        Path before = staged.resolveSibling("before");
                        boolean replaces = Files.exists(directory);
                        if (replaces) {
                            Files.move(directory, before, StandardCopyOption.ATOMIC_MOVE);
                        }
                        try {
                            Files.move(staged, directory, StandardCopyOption.ATOMIC_MOVE);
                        } catch (IOException e) {
                            if (replaces) {
                                Files.move(before, directory, StandardCopyOption.ATOMIC_MOVE);
                            }
                            throw e;
                        }
                    });
        } catch (IOException e) {
            throw new CommandException(
                    "cannot move the model to "
                            + option
                            + " "
                            + directory
                            + ": "
                            + Failures.reason(e),
                    e);
        }
    }
}
