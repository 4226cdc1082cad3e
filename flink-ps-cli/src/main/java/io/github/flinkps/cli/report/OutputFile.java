package io.github.flinkps.cli.report;

import io.github.flinkps.cli.CommandException;
import io.github.flinkps.cli.Failures;
import io.github.flinkps.cli.RunScope;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * A file a command writes: under another name first, renamed once it is complete, so that what is
 * there under its name is whole. A device or pipe is written directly.
 */
public final class OutputFile {
    private final String option;
    private final Path path;

    private OutputFile(String option, Path path) {
        this.option = option;
        this.path = path;
    }

    /**
     * An output that was asked for, checked as far as it can be before any work is done.
     *
     * @param option that names it, for messages
     * @throws CommandException if nothing can be written there
     */
    public static OutputFile of(String option, Path path) {
        Path absolute = path.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            throw new CommandException(option + " " + path + " is a folder; give a file");
        }
        Path folder = absolute.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandException(
                    option + " " + path + ": there is no folder " + absolute.getParent());
        }
        boolean direct = isDirect(absolute);
        if (!Files.isWritable(direct ? absolute : folder)) {
            throw new CommandException(option + " " + path + ": permission denied");
        }
        return new OutputFile(option, absolute);
    }

    private static boolean isDirect(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path)
                || Files.isSymbolicLink(path)
                || Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.exists(path);
    }

    /** Writes the content of the file; an IOException means that the file cannot be written. */
    public interface Content {
        void write(Writer writer) throws IOException;
    }

    /** Writes the file; a failure, or a signal before it is whole, leaves none of it. */
    public void write(RunScope scope, Content content) throws IOException {
        if (isDirect(path)) {
            fill(path, content);
            return;
        }
        String name = "." + path.getFileName() + ".tmp-" + UUID.randomUUID();
        Path temporary = scope.temporaryFile(path.resolveSibling(name));
        try {
            fill(temporary, content);
            scope.commit(() -> rename(temporary));
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void rename(Path temporary) {
        try {
            Files.move(
                    temporary,
                    path,
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

    /** The failure to write this file. */
    CommandException failed(IOException cause) {
        return new CommandException(
                "cannot write " + option + " " + path + ": " + Failures.reason(cause), cause);
    }
}
