package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalModelStorageTest {
    @TempDir Path folder;
    private final ModelStorage storage = new LocalModelStorage();

    @ParameterizedTest
    @ValueSource(strings = {"", "file:", "file://", "file://localhost"})
    void aPathAndItsUriAreTheSame(String scheme) throws IOException {
        String root = scheme + folder;
        assertThat(storage.place(root + "/a/../b")).isEqualTo(folder + "/b");
        storage.makeDirectories(root + "/a b/c%20d");
        try (ModelStorage.Output out = storage.create(root + "/a b/c%20d/one")) {
            out.write(ByteBuffer.allocate(3));
        }
        storage.rename(root + "/a b/c%20d/one", root + "/a b/two");
        assertThat(Files.size(folder.resolve("a b/two"))).isEqualTo(3);
        assertThat(storage.list(root + "/a b")).containsExactly("c%20d", "two");
        assertThat(storage.exists(root + "/a b/two")).isTrue();
        storage.delete(root + "/a b");
        assertThat(folder.resolve("a b")).doesNotExist();
    }

    @Test
    void otherStorageIsRefused() {
        for (String path : new String[] {"s3://bucket/m", "hdfs:///m", "file://elsewhere/m"}) {
            assertThatThrownBy(() -> storage.place(path))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(path + " is not on a file system of this machine");
        }
    }

    /** Markers of cuts come while somebody looks for them. */
    @Test
    void whatComesAndGoesIsThereOrIsNot() throws Exception {
        Path marker = folder.resolve("complete");
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger rounds = new AtomicInteger();
        FutureTask<Void> writing =
                new FutureTask<>(
                        () -> {
                            while (!over.get()) {
                                Files.createFile(marker);
                                Files.delete(marker);
                                rounds.incrementAndGet();
                            }
                            return null;
                        });
        Thread writer = new Thread(writing);
        writer.start();
        try {
            for (int i = 0; i < 20_000 || rounds.get() < 1_000 && !writing.isDone(); i++) {
                storage.exists(marker.toString());
                assertThat(storage.isRegular(marker.toString())).isTrue();
            }
        } finally {
            over.set(true);
            writer.join();
        }
        writing.get();
        assertThat(rounds.get()).isGreaterThanOrEqualTo(1_000);
    }

    @Test
    void whatCannotBeLookedAtIsAnError() throws IOException {
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThatThrownBy(() -> storage.isRegular(loop.toString()))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot tell what " + loop + " is");
        assertThatThrownBy(() -> storage.exists(loop + "/below"))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot tell whether " + loop + "/below is there");
    }

    @Test
    void belowFilesThereIsNothing() throws IOException {
        Files.createFile(folder.resolve("file"));
        String below = folder.resolve("file/x/y").toString();
        assertThat(storage.exists(below)).isFalse();
        assertThat(storage.isRegular(below)).isTrue();
        assertThat(storage.list(below)).isEmpty();
    }
}
