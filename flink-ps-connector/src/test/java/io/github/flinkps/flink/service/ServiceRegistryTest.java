package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceRegistryTest {
    @TempDir Path root;

    private ServiceRegistry registry(String run) {
        return new ServiceRegistry(root.resolve("default/clicks").toUri().toString(), run);
    }

    private static ServiceAddress entry(String run, long fence) {
        return new ServiceAddress(run, fence, List.of("a:1", "b:2"), 1_000);
    }

    @Test
    void whatIsPublishedIsReadUntilItExpiresOrIsRemoved() throws Exception {
        ServiceRegistry registry = registry("r1");
        assertThat(registry.read(0)).isEmpty();
        registry.publish(entry("r1", 7));
        assertThat(registry.read(1_000)).contains(entry("r1", 7));
        assertThat(registry.read(1_001)).isEmpty();
        assertThat(registry("r2").read(0)).isEmpty();
        registry.publish(entry("r1", 8));
        assertThat(registry.read(0)).contains(entry("r1", 8));
        registry.remove();
        registry.remove();
        assertThat(registry.read(0)).isEmpty();
    }

    @Test
    void aModelOfThisRunLeavesNoFolder() throws Exception {
        ServiceRegistry scoring = new ServiceRegistry(root + "/default/scoring-r1", "r1");
        scoring.publish(entry("r1", 7));
        scoring.remove();
        assertThat(root.resolve("default")).isEmptyDirectory();
        scoring.remove();
        scoring.publish(entry("r1", 8));
        Path mine = Files.createFile(root.resolve("default/scoring-r1/mine"));
        scoring.remove();
        assertThat(mine.getParent()).isDirectoryContaining(path -> path.equals(mine));
        assertThat(mine.resolveSibling("registry")).doesNotExist();
    }

    @Test
    void isThereWhileItIsRenewed() throws Exception {
        ServiceRegistry registry = registry("r1");
        registry.publish(entry("r1", 7));
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Integer> renewals =
                new FutureTask<>(
                        () -> {
                            int count = 0;
                            for (; !over.get(); count++) {
                                registry.publish(entry("r1", 7));
                            }
                            return count;
                        });
        Thread renews = new Thread(renewals);
        renews.start();
        try {
            for (int i = 0; i < 10_000; i++) {
                assertThat(registry.read(0)).isPresent();
            }
        } finally {
            over.set(true);
            renews.join();
        }
        assertThat(renewals.get()).isPositive();
    }

    @Test
    void nothingUnfinishedIsLeft() throws Exception {
        registry("r1").publish(entry("r1", 7));
        registry("r1").publish(entry("r1", 8));
        try (Stream<Path> files = Files.list(root.resolve("default/clicks/registry"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> !name.endsWith(".crc"))
                    .containsExactly("r1.json");
        }
    }

    @Test
    void anEntryOfAnotherRunOrADamagedOneIsNotBelieved() throws Exception {
        registry("r1").publish(entry("r2", 7));
        assertThat(registry("r1").read(0)).isEmpty();
        Path file = root.resolve("default/clicks/registry/r1.json");
        for (String damaged : List.of("", "{", "{}", "[1]", "{\"run\":\"r1\"}")) {
            Files.writeString(file, damaged);
            assertThatThrownBy(() -> registry("r1").read(0))
                    .as(damaged)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("r1.json");
        }
    }

    @Test
    void privateRunsAreNotLive() throws Exception {
        String run = ServiceRegistry.PRIVATE_RUN + "r2";
        registry("r1").publish(entry("r1", 7));
        registry(run).publish(entry(run, 8));
        String directory = root.resolve("default/clicks").toUri().toString();
        assertThat(ServiceRegistry.live(directory, 1_000)).containsExactly(entry("r1", 7));
        assertThat(registry(run).read(1_000)).contains(entry(run, 8));
        assertThat(ServiceRegistry.training(directory, 1_000))
                .containsExactlyInAnyOrder(entry("r1", 7), entry(run, 8));
    }

    /** A folder stands for a file that may not be read: that, too, "is not found". */
    @Test
    void anEntryThatIsThereAndCannotBeReadIsNotAbsent() throws Exception {
        Path entry = Files.createDirectories(root.resolve("registry/r.json"));
        assertThatThrownBy(() -> ServiceRegistry.all(root.toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(entry.toString());
    }

    /** Rights and fences are by that name. */
    @Test
    void noTwoModelsHaveTheSameNameOnServers() {
        assertThat(ServiceRegistry.nameOnServers("default", "ctr")).isEqualTo("ctr");
        assertThat(ServiceRegistry.nameOnServers("ads", "ctr")).isEqualTo("ads.ctr");
        assertThat(ServiceRegistry.nameOnServers("default", "ads.ctr"))
                .isEqualTo("default.ads.ctr");
        assertThat(ServiceRegistry.nameOnServers("default", "default.ads.ctr"))
                .isEqualTo("default.default.ads.ctr");
    }
}
