package io.github.flinkps.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value made of files, and made anew when one of them has changed. While what the files hold is
 * wrong, such as half of a key, the last value stays. Safe for use by any thread.
 */
final class FileValue<T> {
    private static final Logger LOG = LoggerFactory.getLogger(FileValue.class);

    /** What tells that a file has changed; a link that points elsewhere is another file. */
    private record Stamp(FileTime modified, long size, Object file) {}

    private final List<Path> files;
    private final Supplier<T> reader;
    private List<Stamp> stamps;
    private T value;

    /**
     * Reads the files.
     *
     * @param reader throws {@link IllegalArgumentException} if what it reads is wrong
     */
    FileValue(List<Path> files, Supplier<T> reader) {
        this.files = List.copyOf(files);
        this.reader = reader;
        this.stamps = look(); // before the files are read: a change in between is seen next time
        this.value = reader.get();
    }

    /**
     * Returns the value of the files as they are now, or as they were when they were last right.
     */
    synchronized T get() {
        try {
            List<Stamp> now = look();
            if (!now.equals(stamps)) {
                stamps = now;
                value = reader.get();
                LOG.info("Read {} again", files);
            }
        } catch (IllegalArgumentException | UncheckedIOException e) {
            LOG.warn("What was read before stays in use: {}", e.getMessage());
        }
        return value;
    }

    private List<Stamp> look() {
        List<Stamp> found = new ArrayList<>();
        for (Path file : files) {
            try {
                BasicFileAttributes read = Files.readAttributes(file, BasicFileAttributes.class);
                found.add(new Stamp(read.lastModifiedTime(), read.size(), read.fileKey()));
            } catch (IOException e) {
                found.add(new Stamp(null, -1, null)); // the reader says what is wrong
            }
        }
        return found;
    }
}
