package io.github.flinkps.cli.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A file that others may follow while it is written: under its own name from the beginning, each
 * piece whole and at once. What is written stays, however the command ends.
 */
public final class FollowedFile implements AutoCloseable {
    private final OutputFile file;
    private final OutputStream out;

    FollowedFile(OutputFile file, OutputStream out) {
        this.file = file;
        this.out = out;
    }

    /**
     * Appends text.
     *
     * @throws io.github.flinkps.cli.CommandException if it cannot be written
     */
    public void write(String text) {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** As {@link #write(String)}. */
    public void write(byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw file.failed(e);
        }
    }
}
