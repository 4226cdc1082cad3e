package io.github.flinkps.cli.report;

import io.github.flinkps.cli.CommandException;
import io.github.flinkps.cli.Failures;
import io.github.flinkps.cli.job.ModelTarget;
import io.github.flinkps.cli.job.RowsInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder in which a command writes files of its own beside those that are there. */
public final class OutputFolder {
    private final String option;
    private final Path path;

    private OutputFolder(String option, Path path) {
        this.option = option;
        this.path = path;
    }

    /**
     * A folder that is there, or can be made.
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
        return new OutputFolder(option, path);
    }

    /** As {@link OutputFile#outsideOf}. */
    public OutputFolder outsideOf(RowsInput rows) {
        if (rows.wouldContain(path.resolve("file"))) {
            throw new CommandException(
                    option
                            + " "
                            + path
                            + " is in a folder of "
                            + rows.option()
                            + ", whose files are read; give another one");
        }
        return this;
    }

    /** As {@link OutputFile#apartFrom(String, ModelTarget)}. */
    public OutputFolder apartFrom(String modelOption, ModelTarget model) {
        if (model.claims(path.toAbsolutePath())) {
            throw new CommandException(
                    option
                            + " "
                            + path
                            + " is what "
                            + modelOption
                            + " writes, too; give another folder");
        }
        return this;
    }

    /**
     * Makes the folder, if it is not there, and a file in it, under the name or, where that is
     * taken, one with a number behind it.
     *
     * @throws CommandException if it cannot be written
     */
    public FollowedFile follow(String name) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new CommandException(
                    "cannot write " + option + " " + path + ": " + Failures.reason(e), e);
        }
        Path file = path.resolve(name);
        for (int number = 2; Files.exists(file); number++) {
            file = path.resolve(name + "." + number);
        }
        return OutputFile.of(option, file).follow();
    }
}
