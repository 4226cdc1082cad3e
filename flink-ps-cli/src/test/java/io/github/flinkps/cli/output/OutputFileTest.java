package io.github.flinkps.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.RunScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir private Path folder;

    @Test
    void replacesAFileAtOnce() throws Exception {
        Path path = Files.writeString(folder.resolve("out"), "old");
        try (RunScope scope = new RunScope()) {
            OutputFile.of("--output", path)
                    .write(
                            scope,
                            writer -> {
                                writer.write("new");
                                writer.flush();
                                assertThat(path).hasContent("old");
                            });
        }
        assertThat(path).hasContent("new");
        assertThat(folder.toFile().list()).containsExactly("out");
    }

    @Test
    void leavesWhatWasThereWhenWritingFails() throws Exception {
        Path path = Files.writeString(folder.resolve("out"), "old");
        try (RunScope scope = new RunScope()) {
            OutputFile file = OutputFile.of("--output", path);
            assertThatThrownBy(
                            () ->
                                    file.write(
                                            scope,
                                            writer -> {
                                                writer.write("half");
                                                throw new IOException("No space left on device");
                                            }))
                    .isInstanceOf(CommandException.class)
                    .hasMessage("cannot write --output " + path + ": No space left on device");
        }
        assertThat(path).hasContent("old");
        assertThat(folder.toFile().list()).containsExactly("out");
    }

    @Test
    void writesToADeviceItself() {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.isWritable(full));
        try (RunScope scope = new RunScope()) {
            OutputFile file = OutputFile.of("--report", full);
            assertThatThrownBy(() -> file.write(scope, writer -> writer.write("x".repeat(100_000))))
                    .isInstanceOf(CommandException.class)
                    .hasMessage("cannot write --report /dev/full: No space left on device");
        }
        assertThat(Files.isRegularFile(full)).isFalse();
        assertThat(full).exists();
    }
}
