package io.github.flinkps.flink.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.CutId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestPublisherTest {
    private static final long LONG_AGO = 1;

    @TempDir Path model;
    private CutPublisher publisher;

    @BeforeEach
    void start() {
        publisher =
                new ManifestPublisher(
                        model.toString(), "clicks", "", Map.of(), "", ConsistencySpec.asp());
    }

    private Path cut(String run, long number) {
        return model.resolve("runs").resolve(run).resolve("cuts").resolve(number + "-1");
    }

    private void cut(String run, long number, String mark) throws IOException {
        Path directory = Files.createDirectories(cut(run, number));
        Files.createFile(directory.resolve("data"));
        Files.createFile(directory.resolve(mark));
    }

    /** What was complete, and of which nothing is known, is left to who owns it. */
    @Test
    void removesWhatJobsThatEndedHaveLeftOfCheckpointsGivenUp() throws IOException {
        for (String run : List.of("own", "ended", "lost")) {
            cut(run, 1, "complete");
            cut(run, 2, "aborted");
            cut(run, 3, "aborted");
            cut(run, 4, "progress");
        }
        // Its JobManager renews the entry no more; another may take the job over.
        new ServiceRegistry(model.toString(), "lost")
                .publish(new ServiceAddress("lost", 1, List.of("host:1"), LONG_AGO));

        publisher.removeLeft("own");

        assertThat(publisher.aborted("ended")).isEmpty();
        assertThat(cut("ended", 2)).doesNotExist();
        assertThat(cut("ended", 3)).doesNotExist();
        assertThat(cut("ended", 1)).isNotEmptyDirectory();
        assertThat(cut("ended", 4)).isNotEmptyDirectory();
        for (String run : List.of("own", "lost")) {
            assertThat(publisher.aborted(run))
                    .containsExactly(new CutId(run, 1, 2), new CutId(run, 1, 3));
        }
    }
}
