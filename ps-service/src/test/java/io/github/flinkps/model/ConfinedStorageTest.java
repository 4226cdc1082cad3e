package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfinedStorageTest {
    @TempDir private Path folder;
    private ModelStorage confined;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("root/model"));
        Files.createDirectories(folder.resolve("rooted"));
        Files.writeString(folder.resolve("secret"), "of others");
        confined = new ConfinedStorage(new LocalModelStorage(), folder.resolve("root").toString());
    }

    private String path(String name) {
        return folder.toString() + "/" + name;
    }

    @Test
    void whatLiesInItIsReached() throws IOException {
        try (ModelStorage.Output out = confined.create(path("root/model/file"))) {
            out.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        }
        confined.makeDirectories("file:" + path("root/other/../another"));
        confined.rename(path("root/model/file"), path("root/another/file"));
        assertThat(confined.bytes(path("root/another/file"))).isEqualTo(3);
        assertThat(confined.list(path("root"))).containsExactly("another", "model");
        confined.delete(path("root/another"));
        assertThat(confined.exists(path("root/another"))).isFalse();
        assertThat(confined.place(path("root/other/.."))).isEqualTo(path("root"));
    }

    @Test
    void aRootIsADirectory() {
        for (String none : new String[] {"", " ", "s3:models", path("secret")}) {
            assertThatThrownBy(() -> new ConfinedStorage(new LocalModelStorage(), none))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(new ConfinedStorage(new LocalModelStorage(), path("new")).place(path("new/a")))
                .isEqualTo(path("new/a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "root/../secret", "rooted", "root/model/../../secret", ""})
    void whatLiesOutsideIsNot(String name) {
        String outside = path(name);
        isRefused(() -> confined.place(outside));
        isRefused(() -> confined.open(outside));
        isRefused(() -> confined.create(outside));
        isRefused(() -> confined.exists(outside));
        isRefused(() -> confined.isRegular(outside));
        isRefused(() -> confined.list(outside));
        isRefused(() -> confined.bytes(outside));
        isRefused(() -> confined.makeDirectories(outside + "/new"));
        isRefused(() -> confined.rename(path("root/model"), outside));
        isRefused(() -> confined.rename(outside, path("root/model/mine")));
        isRefused(() -> confined.syncDirectory(outside));
        isRefused(() -> confined.delete(outside));
        assertThat(folder.resolve("secret")).hasContent("of others");
    }

    private interface Use {
        void run() throws IOException;
    }

    private static void isRefused(Use use) {
        assertThatThrownBy(use::run).hasMessageContaining("model-root that it was started with");
    }

    @Test
    void nothingIsReachedWithoutARoot() {
        ModelStorage nothing = new ConfinedStorage(new LocalModelStorage(), null);
        assertThatThrownBy(() -> nothing.exists(path("root")))
                .hasMessageContaining("start it with model-root");
    }
}
