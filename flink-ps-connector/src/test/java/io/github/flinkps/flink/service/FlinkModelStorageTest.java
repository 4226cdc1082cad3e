package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.TestingObjectStore;
import io.github.flinkps.model.ConfinedStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkModelStorageTest {
    @TempDir Path folder;
    private final ModelStorage storage = new FlinkModelStorage();
    private String root;

    @BeforeEach
    void begin() {
        root = folder.toUri().toString().replaceAll("/+$", "");
    }

    private void write(String file, String text) throws IOException {
        try (ModelStorage.Output output = storage.create(file)) {
            output.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            output.sync();
        }
    }

    private String read(String file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
        try (ReadableByteChannel channel = storage.open(file)) {
            while (channel.read(bytes) >= 0) {
                // until its end
            }
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    @Test
    void aPlaceHasOneName() {
        assertThat(storage.place("file:/tmp/a/../b")).isEqualTo("/tmp/b");
        for (String name : new String[] {"s3://b/a b/c%20d", "s3://b//a b/x/../c%20d/"}) {
            assertThat(storage.place(name)).isEqualTo("s3://b/a b/c%20d");
        }
        assertThat(storage.place(storage.place("s3://b/a b/c%20d"))).isEqualTo("s3://b/a b/c%20d");
        assertThatThrownBy(() -> storage.place("s3://b/a/../../c"))
                .hasMessageContaining("s3://b/a/../../c is no place in a store");
    }

    @Test
    void aServerIsConfinedToItsPartOfAStore() {
        ModelStorage confined = new ConfinedStorage(storage, "s3://b/root");
        assertThat(confined.place("s3://b/root/m/../n")).isEqualTo("s3://b/root/n");
        for (String outside :
                new String[] {
                    "s3://b/rooted",
                    "s3://b/root/../secret",
                    "s3://c/root/m",
                    "s3a://b/root/m",
                    "/root/m",
                    "file:///root/m",
                    "s3://b/root/../../b/root/m"
                }) {
            assertThatThrownBy(() -> confined.create(outside)).isInstanceOf(IOException.class);
        }
    }

    /** Files that are taken for absent are removed, or what needs them is. */
    @Test
    void whatIsThereIsListedWhileItsNeighboursGo() throws Exception {
        storage.makeDirectories(root + "/cuts/1");
        Path neighbour = folder.resolve("cuts/2");
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> churn =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                while (!over.get()) {
                                    Files.createDirectory(neighbour);
                                    Files.delete(neighbour);
                                }
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        try {
            for (int i = 0; i < 3000; i++) {
                assertThat(storage.list(root + "/cuts")).contains("1");
            }
        } finally {
            over.set(true);
        }
        churn.get(60, TimeUnit.SECONDS);
    }

    @Test
    void nothingIsBelowAFile() throws Exception {
        write(root + "/file", "text");
        assertThat(storage.exists(root + "/file/a/b")).isFalse();
        assertThat(storage.list(root + "/file/a")).isEmpty();
    }

    @Test
    void objectStoresDoNotRename() {
        assertThat(storage.renames(root)).isTrue();
        assertThat(storage.renames(TestingObjectStore.SCHEME + "://" + folder)).isFalse();
    }

    @Test
    void filesAreWrittenReplacedRenamedAndRemoved() throws Exception {
        storage.makeDirectories(root + "/a/b");
        storage.makeDirectories(root + "/a/b");
        String text = "x".repeat(200_000);
        write(root + "/a/b/one", text);
        assertThat(read(root + "/a/b/one")).isEqualTo(text);
        write(root + "/a/b/one", "one");
        write(root + "/a/b/two", "two");
        storage.rename(root + "/a/b/two", root + "/a/b/one");
        assertThat(read(root + "/a/b/one")).isEqualTo("two");
        assertThat(storage.list(root + "/a/b")).containsExactly("one");
        assertThat(storage.list(root + "/a/b/one")).isEmpty();
        assertThat(storage.exists(root + "/a/b")).isTrue();
        storage.delete(root + "/a");
        storage.delete(root + "/a");
        assertThat(storage.exists(root + "/a/b/one")).isFalse();
        assertThat(storage.list(root + "/a")).isEmpty();
    }

    @Test
    void whatIsNotThereIsSaidSo() {
        assertThatThrownBy(() -> storage.open(root + "/none"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() -> storage.rename(root + "/none", root + "/other"))
                .isInstanceOf(NoSuchFileException.class);
    }
}
