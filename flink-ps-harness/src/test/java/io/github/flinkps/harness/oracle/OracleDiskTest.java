package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs on a disk that is really full, where this machine lets one be mounted, and on the stand-in.
 */
class OracleDiskTest {
    @TempDir Path folder;
    private OracleHooks hooks;
    private Path cut;

    @BeforeEach
    void hooks() throws IOException {
        hooks = new OracleHooks(folder.resolve(OracleStorage.HOOKS));
        hooks.create();
        cut = folder.resolve(OracleStorage.MODELS).resolve("m/runs/r/cuts/1-1");
    }

    private OracleDisk mount() {
        try {
            return OracleDisk.mount(folder.resolve(OracleStorage.DISK));
        } catch (IOException e) {
            assumeTrue(false, "no disk can be mounted here: " + e.getMessage());
            throw new AssertionError(e);
        }
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(cut);
        OracleStorage storage = new OracleStorage(new LocalModelStorage());
        try (ModelStorage.Output output =
                storage.create(LocalModelStorage.path(cut.resolve(name)))) {
            output.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            output.sync();
        }
    }

    private void assertFull(String name) throws IOException {
        IOException full = catchThrowableOfType(IOException.class, () -> write(name, "text"));
        assertThat(full).hasMessage("No space left on device");
        assertThat(hooks.sawFullDisk()).isTrue();
        hooks.forgetFullDisk();
        assertThat(hooks.sawFullDisk()).isFalse();
    }

    @Test
    void nothingCanBeWrittenWhileItIsFull() throws Exception {
        try (OracleDisk disk = mount()) {
            write("before", "text");
            disk.fill();
            assertFull("meanwhile");
            disk.fill();
            assertThat(cut.resolve("before")).hasContent("text");
            disk.free();
            write("after", "text");
            assertThat(hooks.sawFullDisk()).isFalse();
        }
        assertThat(cut).as("gone with it").doesNotExist();
    }

    @Test
    void whatIsKeptCanBeLookedAt() throws Exception {
        try (OracleDisk disk = mount()) {
            write("part", "text");
            disk.keep();
        }
        assertThat(cut.resolve("part")).hasContent("text");
        assertThat(folder.resolve(OracleStorage.DISK)).isDirectory().satisfies(this::isNoLink);
    }

    private void isNoLink(Path place) {
        assertThat(Files.isSymbolicLink(place)).isFalse();
    }

    @Test
    void aStandInFailsAsAFullDiskDoes() throws Exception {
        write("before", "text");
        hooks.diskIsFull(true);
        assertFull("meanwhile");
        hooks.diskIsFull(false);
        write("after", "text");
        assertThat(cut.resolve("after")).hasContent("text");
    }
}
