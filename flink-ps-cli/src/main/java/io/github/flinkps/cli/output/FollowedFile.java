package io.github.flinkps.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * A file that others may follow while it is written: under its own name from the first piece on,
 * each piece whole and at once. What is written stays, however the command ends; where nothing is
 * written, what was there before does.
 */
public final class FollowedFile implements AutoCloseable {
    private final Supplier<OutputFile> place;
    private final boolean device;
    private byte[] head = {};
    private OutputFile file;
    private OutputStream out;

    /**
     * @param place asked for at the first piece
     * @param device whether nothing that is there can be lost
     */
    FollowedFile(Supplier<OutputFile> place, boolean device) {
        this.place = place;
        this.device = device;
    }

    /**
     * Gives the file its head, which comes with the first piece; a device gets it now.
     *
     * @throws io.github.flinkps.cli.run.CommandException if it cannot be written
     */
    public void begin(byte[] bytes) {
        head = bytes;
        if (device) {
            write(new byte[0]);
        }
    }

    /**
     * Appends text; the first replaces what was there.
     *
     * @throws io.github.flinkps.cli.run.CommandException if it cannot be written
     */
    public void write(String text) {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes; see {@link #write(String)}. */
    public void write(byte[] bytes) {
        if (file == null) {
            file = place.get();
        }
        try {
            if (out == null) {
                out = file.open();
                out.write(head);
            }
            out.write(bytes);
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    @Override
    public void close() {
        if (out == null) {
            return;
        }
        try {
            out.close();
        } catch (IOException e) {
            throw file.failed(e);
        }
    }
}
