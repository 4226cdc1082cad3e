package io.github.flinkps.cli.output;

import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The place in which an option has something written.
 *
 * @param option that names it, for messages
 * @param path as it is shown
 * @param place what is written, absolute
 * @param kind what to give instead, "file" or "folder"
 */
record OutputPlace(String option, Path path, Path place, String kind) {
    /** Returns whether this is where the other is, or below it. */
    boolean isIn(OutputPlace other) {
        return place.normalize().startsWith(other.place.normalize());
    }

    /**
     * Refuses it if another option has the same written.
     *
     * @throws CommandException naming both options
     */
    void checkFree(boolean taken, String byOption) {
        if (taken) {
            throw new CommandException(
                    this + " is what " + byOption + " writes, too; give another " + kind);
        }
    }

    /**
     * Refuses it if a file written there, while the rows are read, would be read as some of them.
     *
     * @throws CommandException naming both options
     */
    void checkOutsideOf(RowsInput rows, Path file) {
        if (rows.wouldContain(file)) {
            throw new CommandException(
                    this
                            + " is in a folder of "
                            + rows.option()
                            + ", whose files are read; give another one");
        }
    }

    /** Returns the failure to write there. */
    CommandException failed(IOException cause) {
        return new CommandException("cannot write " + this + ": " + Failures.reason(cause), cause);
    }

    /** Returns the option and the path. */
    @Override
    public String toString() {
        return option + " " + path;
    }
}
