package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
        storage.checkReach(root);
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
            assertThatThrownBy(() -> storage.checkReach(path))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(path + " is not on a file system of this machine");
        }
    }
}
