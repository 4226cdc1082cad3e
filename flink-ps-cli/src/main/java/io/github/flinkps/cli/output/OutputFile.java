package io.github.flinkps.cli.output;

import io.github.flinkps.cli.job.ModelTarget;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import io.github.flinkps.cli.run.RunScope;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * A file a command writes: under another name first, renamed once it is complete, so that what is
 * there under its name is whole. The target of a link is so replaced, the link stays. A device or
 * pipe, and what is there under /dev and /proc, is written directly.
 */
public final class OutputFile {
    private static final int MOST_LINKS = 40;

    private final OutputPlace at;

    /** The file that is written: the path, or the place it leads to as a link. */
    private final Path place;

    private OutputFile(OutputPlace at) {
        this.at = at;
        this.place = at.place();
    }

    /**
     * Returns an output that was asked for, checked as far as it can be before any work is done.
     *
     * @param option that names it, for messages
     * @throws CommandException if nothing can be written there
     */
    public static OutputFile of(String option, Path path) {
        if (path.toString().equals("-")) {
            throw new CommandException(
                    option + " -: give a file; standard output has the name /dev/stdout");
        }
        Path absolute = path.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            throw new CommandException(option + " " + path + " is a folder; give a file");
        }
        Path place = target(option, absolute);
        Path folder = place.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandException(option + " " + path + ": there is no folder " + folder);
        }
        if (!Files.isWritable(isDirect(place) ? place : folder)) {
            throw new CommandException(option + " " + path + ": permission denied");
        }
        return new OutputFile(new OutputPlace(option, absolute, place, "file"));
    }

    /** Follows links to their end, which may be a file that is not there yet, or to a device. */
    private static Path target(String option, Path path) {
        Path place = path;
        try {
            for (int links = 0; Files.isSymbolicLink(place) && !isDirect(place); links++) {
                if (links == MOST_LINKS) {
                    throw new CommandException(option + " " + path + ": the links have no end");
                }
                place = place.resolveSibling(Files.readSymbolicLink(place)).toAbsolutePath();
            }
        } catch (IOException e) {
            throw new CommandException(option + " " + Failures.reason(e), e);
        }
        return place;
    }

    private static boolean isDirect(Path path) {
        return Files.exists(path)
                && (!Files.isRegularFile(path)
                        || path.startsWith("/dev") && !path.startsWith("/dev/shm")
                        || path.startsWith("/proc"));
    }

    /**
     * Refuses an output that would destroy what the command reads.
     *
     * @throws CommandException naming both options
     */
    public OutputFile apartFrom(RowsInput rows) {
        if (rows.contains(place)) {
            throw new CommandException(
                    at + " is a file of " + rows.option() + "; give another one");
        }
        return this;
    }

    /** Refuses to be a file of a model that is read; see {@link #apartFrom(RowsInput)}. */
    public OutputFile apartFrom(String modelOption, SavedModel model) {
        if (model.contains(place)) {
            throw new CommandException(
                    at + " is a file of the model of " + modelOption + "; give another one");
        }
        return this;
    }

    /** Refuses to be a file of a model that is written; see {@link #apartFrom(RowsInput)}. */
    public OutputFile apartFrom(String modelOption, ModelTarget model) {
        at.checkFree(model.claims(place) || model.isIn(place), modelOption);
        return this;
    }

    /** Refuses to be another output; see {@link #apartFrom(RowsInput)}. */
    public OutputFile apartFrom(OutputFile other) {
        boolean same =
                SavedModel.isSame(place, other.place)
                        || place.normalize().equals(other.place.normalize());
        at.checkFree(same && !isDirect(place), other.at.option());
        return this;
    }

    /**
     * Refuses an output that, written while the rows are read, would be read as some of them.
     *
     * @throws CommandException naming both options
     */
    public OutputFile outsideOf(RowsInput rows) {
        at.checkOutsideOf(rows, place);
        return this;
    }

    /**
     * Returns the file, to be written as the command goes on; what is there goes with the first
     * piece.
     */
    public FollowedFile follow() {
        return new FollowedFile(() -> this, isDirect(place));
    }

    /**
     * Returns whether writing it again replaces it; a device or a pipe gets one text after the
     * other.
     */
    public boolean isReplaced() {
        return !isDirect(place);
    }

    /** Opens the file; what was there is gone. */
    OutputStream open() throws IOException {
        return Files.newOutputStream(place);
    }

    /** Writes the content of the file; an IOException means that the file cannot be written. */
    public interface Content {
        void write(Writer writer) throws IOException;
    }

    /** Writes the file; a failure, or a signal before it is whole, leaves none of it. */
    public void write(RunScope scope, Content content) throws IOException {
        scope.commit(prepare(scope, content));
    }

    /**
     * Writes all of the file but its name; what is returned gives it that. Without that nothing is
     * left when the scope ends. What is written directly is written now.
     */
    public RunScope.Step prepare(RunScope scope, Content content) throws IOException {
        if (isDirect(place)) {
            fill(place, content);
            return () -> {};
        }
        String name = "." + place.getFileName() + ".tmp-" + UUID.randomUUID();
        Path temporary = scope.temporaryFile(place.resolveSibling(name));
        boolean done = false;
        try {
            fill(temporary, content);
            done = true;
        } finally {
            if (!done) {
                Files.deleteIfExists(temporary);
            }
        }
        return () -> rename(temporary);
    }

    private void rename(Path temporary) {
        try {
            Files.move(
                    temporary,
                    place,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void fill(Path file, Content content) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            content.write(writer);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Returns its option and place, for the checks of other outputs. */
    OutputPlace at() {
        return at;
    }

    /** Returns the failure to write this file. */
    CommandException failed(IOException cause) {
        return at.failed(cause);
    }
}
