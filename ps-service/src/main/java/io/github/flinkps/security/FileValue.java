package io.github.flinkps.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value made of files, and made anew when one of them has changed. While what the files hold is
 * wrong, such as half of a key, the last value stays. Where nothing is a value too, it counts when
 * a look a second later finds nothing either: a file may be empty for a moment while it is written.
 * Safe for use by any thread.
 */
final class FileValue<T> {
    private static final Logger LOG = LoggerFactory.getLogger(FileValue.class);

    private static final long EMPTY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WARNING_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** True if files tell when their permissions have changed. */
    private static final boolean UNIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

    /** Says that a file is missing, or has no line that says something. */
    static final class NothingThere extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        NothingThere(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The signs by which a file is seen to have changed; a link that points elsewhere is another
     * file.
     */
    private record Stamp(FileTime modified, Object changed, long size, Object file) {}

    private final List<Path> files;
    private final Supplier<T> reader;
    private final Supplier<T> nothing;
    private final LongSupplier nanoTime;
    private List<Stamp> stamps;
    private T value;

    /** True if the last reading failed, and the times of that and of the last warning. */
    private boolean failed;

    private long failedAt;
    private long warnedAt;
    private boolean warns;

    /**
     * True if the last look found nothing, and the time since when; the value is an older one
     * still.
     */
    private boolean empty;

    private long emptySince;

    /**
     * Reads the files.
     *
     * @param reader throws {@link IllegalArgumentException} if what it reads is wrong
     */
    FileValue(List<Path> files, Supplier<T> reader) {
        this(files, reader, null, System::nanoTime);
    }

    /**
     * Reads the files, in which there must be something at first.
     *
     * @param reader throws {@link NothingThere} if there is nothing, and another {@link
     *     IllegalArgumentException} if what it reads is wrong
     * @param nothing makes the value of files in which there is nothing any more; null: the last
     *     value stays
     */
    FileValue(List<Path> files, Supplier<T> reader, Supplier<T> nothing, LongSupplier nanoTime) {
        this.files = List.copyOf(files);
        this.reader = reader;
        this.nothing = nothing;
        this.nanoTime = nanoTime;
        this.stamps = look(); // before the files are read: a change in between is seen next time
        this.value = reader.get();
    }

    /**
     * Returns the value of the files as they are now, or as they were when they were last right.
     */
    synchronized T get() {
        try {
            List<Stamp> now = look();
            boolean changed = !now.equals(stamps);
            if (changed || failed && nanoTime.getAsLong() - failedAt >= RETRY_NANOS) {
                stamps = now;
                empty = false;
                warns = changed || nanoTime.getAsLong() - warnedAt >= WARNING_NANOS;
                failed = true; // until it has been read, whatever is thrown
                failedAt = nanoTime.getAsLong();
                value = reader.get();
                failed = false;
                LOG.info("Read {} again", files);
            } else if (empty && nanoTime.getAsLong() - emptySince >= EMPTY_NANOS) {
                value = nothing.get();
                empty = false;
                LOG.warn("{} hold nothing any more: what was read before is over", files);
            }
        } catch (NothingThere e) {
            empty = nothing != null;
            failed = !empty;
            emptySince = nanoTime.getAsLong();
            warn(empty ? " for a second, unless there is something again" : "", e);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            warn("", e);
        }
        return value;
    }

    /** Warns of a failed reading: at once, and then from time to time. */
    private void warn(String howLong, RuntimeException why) {
        if (warns) {
            warnedAt = nanoTime.getAsLong();
            LOG.warn("What was read before stays in use{}: {}", howLong, why.getMessage());
        }
    }

    private List<Stamp> look() {
        List<Stamp> found = new ArrayList<>();
        for (Path file : files) {
            try {
                BasicFileAttributes read = Files.readAttributes(file, BasicFileAttributes.class);
                Object changed = UNIX ? Files.getAttribute(file, "unix:ctime") : null;
                found.add(new Stamp(read.lastModifiedTime(), changed, read.size(), read.fileKey()));
            } catch (IOException e) {
                found.add(new Stamp(null, null, -1, null)); // the reader says what is wrong
            }
        }
        return found;
    }
}
