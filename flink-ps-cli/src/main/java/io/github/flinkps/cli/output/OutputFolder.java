package io.github.flinkps.cli.output;

import io.github.flinkps.cli.job.ModelTarget;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.run.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder in which a command writes files of its own beside those that are there. */
public final class OutputFolder {
    private final OutputPlace at;

    private OutputFolder(OutputPlace at) {
        this.at = at;
    }

    /**
     * Returns a folder that is there, or can be made.
     *
     * @param option that names it, for messages
     * @throws CommandException if nothing can be written there
     */
    public static OutputFolder of(String option, Path path) {
        Path above = path.toAbsolutePath().normalize();
        while (!Files.exists(above)) {
            above = above.getParent();
        }
        if (!Files.isDirectory(above)) {
            throw new CommandException(option + " " + path + ": " + above + " is a file");
        }
        if (!Files.isWritable(above)) {
            throw new CommandException(
                    option + " " + path + ": no permission to write to " + above);
        }
        return new OutputFolder(new OutputPlace(option, path, path.toAbsolutePath(), "folder"));
    }

    /** Refuses to lie within the rows; see {@link OutputFile#outsideOf}. */
    public OutputFolder outsideOf(RowsInput rows) {
        at.checkOutsideOf(rows, at.place().resolve("file"));
        return this;
    }

    /**
     * Refuses to be the folder of a model; see {@link OutputFile#apartFrom(String, ModelTarget)}.
     */
    public OutputFolder apartFrom(String modelOption, ModelTarget model) {
        at.checkFree(model.claims(at.place()), modelOption);
        return this;
    }

    /** Refuses a folder that would stand where the file is written, or below it. */
    public OutputFolder apartFrom(OutputFile file) {
        at.checkFree(at.isIn(file.at()), file.at().option());
        return this;
    }

    /**
     * Returns a file in the folder, under the name or, where that is taken, one with a number
     * behind it; made with its first piece, as is the folder if it is not there.
     */
    public FollowedFile follow(String name) {
        return new FollowedFile(() -> free(name), false);
    }

    private OutputFile free(String name) {
        try {
            Files.createDirectories(at.path());
        } catch (IOException e) {
            throw at.failed(e);
        }
        Path file = at.path().resolve(name);
        for (int number = 2; Files.exists(file); number++) {
            file = at.path().resolve(name + "." + number);
        }
        return OutputFile.of(at.option(), file);
    }
}
