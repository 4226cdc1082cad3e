package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelFile;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory a trained model is put into. The model is saved in a hidden folder inside that
 * directory, or beside it if it is not there yet. It is moved into place when all is well. So a
 * command that fails leaves there what was there before. Of a model that is replaced the files its
 * manifest names go; what else is in the directory stays.
 */
public final class ModelTarget {
    private static final Logger LOG = LoggerFactory.getLogger(ModelTarget.class);

    private final String option;
    private final Path directory;

    /** The directory itself, where {@link #directory} may be a link to it. */
    private final Path place;

    private ModelTarget(String option, Path directory, Path place) {
        this.option = option;
        this.directory = directory;
        this.place = place;
    }

    /**
     * Returns a directory that is absent, empty or holds a model, which will be replaced.
     *
     * @param option that names it, for messages
     * @throws CommandException if something else is there, or nothing can be written there
     */
    public static ModelTarget of(String option, Path directory) {
        Path path = directory.toAbsolutePath().normalize();
        if (path.getFileName() == null) {
            throw new CommandException(option + " " + directory + " is no name for a model");
        }
        Path place = path;
        if (Files.exists(path)) {
            checkReplaceable(option, path);
            place = real(option, path);
            checkWritable(option, directory, place);
            return new ModelTarget(option, path, place);
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new CommandException(option + " " + directory + " is a link to nothing");
        }
        Path folder = place.getParent();
        while (!Files.exists(folder)) {
            folder = folder.getParent();
        }
        if (!Files.isDirectory(folder)) {
            throw new CommandException(option + " " + directory + ": " + folder + " is a file");
        }
        checkWritable(option, directory, folder);
        return new ModelTarget(option, path, place);
    }

    private static Path real(String option, Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new CommandException(option + " " + Failures.reason(e), e);
        }
    }

    private static void checkWritable(String option, Path directory, Path folder) {
        if (!Files.isWritable(folder)) {
            throw new CommandException(
                    option + " " + directory + ": no permission to write to " + folder);
        }
    }

    private static void checkReplaceable(String option, Path path) {
        if (!Files.isDirectory(path)) {
            throw new CommandException(
                    option + " " + path + " is a file; give a directory for the model");
        }
        try (Stream<Path> entries = Files.list(path)) {
            if (entries.allMatch(entry -> entry.getFileName().toString().startsWith(".tmp-"))) {
                return;
            }
            manifest(path);
        } catch (IOException e) {
            throw new CommandException(option + " " + Failures.reason(e), e);
        } catch (PsException e) {
            throw new CommandException(
                    option
                            + " "
                            + path
                            + " holds other files and no model that could be replaced ("
                            + e.getMessage()
                            + "); choose another directory",
                    e);
        }
    }

    private static ModelManifest manifest(Path directory) {
        return ModelReader.readManifest(new LocalModelStorage(), LocalModelStorage.path(directory));
    }

    public Path directory() {
        return directory;
    }

    /** Returns whether a file would stand where the directory, or a folder above it, is to be. */
    public boolean isIn(Path file) {
        return place.startsWith(file.normalize()) || directory.startsWith(file.normalize());
    }

    /** Returns whether a file is the directory, or one of the model that is replaced. */
    public boolean claims(Path file) {
        return file.normalize().equals(place)
                || file.normalize().equals(directory)
                || Files.exists(place.resolve(ModelManifest.FILE))
                        && new SavedModel(option, place, manifest(place)).contains(file);
    }

    /**
     * Returns a hidden place on the file system of the directory, which may be a mount; goes with
     * the scope.
     */
    Path staging(RunScope scope) {
        try {
            if (Files.exists(place)) {
                return scope.temporaryFolderIn(place).resolve("model");
            }
            Files.createDirectories(place.getParent());
            return scope.temporaryFolderBeside(place).resolve("model");
        } catch (IOException e) {
            throw new CommandException(
                    "cannot write to " + option + " " + directory + ": " + Failures.reason(e), e);
        }
    }

    /**
     * Moves the model from its hidden place to the directory, and takes what else there is to do
     * with it; if that fails, all is again as it was before.
     */
    void publish(Path staged, RunScope scope, RunScope.Step also) {
        try {
            scope.commit(
                    () -> {
                        if (Files.exists(place)) {
                            replace(staged, also);
                        } else {
                            create(staged, also);
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

    private void create(Path staged, RunScope.Step also) throws IOException {
        move(staged, place);
        try {
            also.run();
        } catch (IOException | RuntimeException e) {
            move(place, staged);
            throw e;
        }
        new LocalModelStorage().syncDirectory(place.getParent().toString());
    }

    /**
     * Replaces a model: moves the new files, whose names differ from those of the old ones, then
     * the manifest in one step. If that fails it restores what was there; else it removes the old
     * files.
     */
    private void replace(Path staged, RunScope.Step also) throws IOException {
        LocalModelStorage storage = new LocalModelStorage();
        Path manifest = place.resolve(ModelManifest.FILE);
        Path saved = staged.resolveSibling("manifest-before.json");
        ModelManifest before = Files.exists(manifest) ? manifest(place) : null;
        if (before != null) {
            Files.copy(manifest, saved);
        }
        List<String> moved = new ArrayList<>();
        try {
            for (String name : storage.list(staged.toString())) {
                if (!name.equals(ModelManifest.FILE)) {
                    move(staged.resolve(name), place.resolve(name));
                    moved.add(name);
                }
            }
            storage.syncDirectory(place.toString());
            move(staged.resolve(ModelManifest.FILE), manifest);
            also.run();
            storage.syncDirectory(place.toString());
        } catch (IOException | RuntimeException e) {
            if (before == null) {
                Files.deleteIfExists(manifest);
            } else {
                move(saved, manifest);
            }
            for (String name : moved) {
                storage.delete(place.resolve(name).toString());
            }
            throw e;
        }
        if (before != null) {
            remove(before);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the files of the model that was there, and folders that are empty then. */
    private void remove(ModelManifest before) {
        for (ModelTable table : before.tables()) {
            for (ModelFile file : table.files()) {
                Path path = place.resolve(file.path()).normalize();
                if (!path.startsWith(place)) {
                    continue;
                }
                try {
                    Files.deleteIfExists(path);
                    removeIfEmpty(path.getParent());
                } catch (IOException e) {
                    LOG.warn("Cannot remove {}: {}", path, Failures.reason(e));
                }
            }
        }
    }

    private void removeIfEmpty(Path folder) throws IOException {
        if (folder.equals(place) || !Files.isDirectory(folder)) {
            return;
        }
        boolean empty;
        try (Stream<Path> entries = Files.list(folder)) {
            empty = entries.findAny().isEmpty();
        }
        if (empty) {
            Files.delete(folder);
        }
    }
}
