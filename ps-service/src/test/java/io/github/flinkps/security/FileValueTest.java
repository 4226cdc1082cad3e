package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileValueTest {
    @TempDir private Path folder;
    private final long[] now = {0};
    private Path file;
    private RuntimeException problem;
    private Error error;
    private int reads;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("file"), "one");
    }

    private FileValue<String> value() {
        return new FileValue<>(List.of(file), this::read, null, () -> now[0]);
    }

    private String read() {
        reads++;
        if (problem != null) {
            throw problem;
        }
        if (error != null) {
            throw error;
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What could not be read, though it is right, is read as soon as it can be. */
    @Test
    void aReadingThatFailedIsDoneAgainThoughTheFileStays() throws IOException {
        FileValue<String> value = value();
        Files.writeString(file, "three");
        problem = new IllegalArgumentException("too many open files");
        assertThat(value.get()).isEqualTo("one");
        problem = null;
        now[0] = TimeUnit.MILLISECONDS.toNanos(999);
        assertThat(value.get()).isEqualTo("one");
        assertThat(reads).isEqualTo(2);
        now[0] = TimeUnit.SECONDS.toNanos(1);
        assertThat(value.get()).isEqualTo("three");
        now[0] = TimeUnit.SECONDS.toNanos(9);
        assertThat(value.get()).isEqualTo("three");
        assertThat(reads).isEqualTo(3);
    }

    @Test
    void anErrorIsNoReadingEither() throws IOException {
        FileValue<String> value = value();
        Files.writeString(file, "three");
        error = new NoClassDefFoundError("for want of an open file");
        assertThatThrownBy(value::get).isSameAs(error);
        error = null;
        now[0] = TimeUnit.SECONDS.toNanos(1);
        assertThat(value.get()).isEqualTo("three");
    }

    /** Permissions, and contents of the same length and time. */
    @Test
    void whateverChangesOfAFileIsSeen() throws IOException {
        FileValue<String> value = value();
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, "two");
        Files.setLastModifiedTime(file, time);
        assertThat(value.get()).isEqualTo("two");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        value.get();
        assertThat(reads).isEqualTo(3);
    }
}
