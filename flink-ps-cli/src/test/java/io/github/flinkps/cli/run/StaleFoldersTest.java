package io.github.flinkps.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleFoldersTest {
    private static final long NO_PROCESS = Integer.MAX_VALUE;

    @TempDir private Path folder;

    private Path made(String name, int hours) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        Path file = Files.writeString(made.resolve("rows"), "1");
        FileTime time = FileTime.from(Instant.now().minus(Duration.ofHours(hours)));
        Files.setLastModifiedTime(file, time);
        Files.setLastModifiedTime(made, time);
        return made;
    }

    @Test
    void onlyOldFoldersOfProcessesThatAreGoneGo() throws IOException {
        long alive = ProcessHandle.current().pid();
        Path stale = made(".tmp-p" + NO_PROCESS + "-1", 25);
        Path nobodys = made(".tmp-123456", 25);
        Path running = made(".tmp-p" + alive + "-1", 25);
        Path young = made(".tmp-p" + NO_PROCESS + "-2", 23);
        Path other = made("model", 25);
        try (RunScope scope = new RunScope()) {
            assertThat(scope.temporaryFolderIn(folder)).isDirectory();
            assertThat(stale).doesNotExist();
            assertThat(nobodys).doesNotExist();
        }
        assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder(
                        running.getFileName().toString(),
                        young.getFileName().toString(),
                        other.getFileName().toString());
    }

    @Test
    void foldersOfOthersStayWhereAllHaveTheirTemporaryFiles() throws IOException {
        Path stale = made("flink-ps-p" + NO_PROCESS + "-1", 25);
        Path others = made("flink-ps-backup", 25);
        StaleFolders.sweepNamed(folder, "flink-ps-");
        assertThat(stale).doesNotExist();
        assertThat(others).isDirectory();
        try (RunScope scope = new RunScope()) {
            assertThat(scope.temporaryFolder("flink-ps-").getFileName().toString())
                    .startsWith("flink-ps-p" + ProcessHandle.current().pid() + "-");
        }
    }
}
