package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewedEntryTest {
    @TempDir private Path folder;
    private Path model;

    @BeforeEach
    void createModel() throws Exception {
        model = folder.resolve("model");
        point(Files.createDirectory(folder.resolve("there")));
    }

    private ServiceAddress read() throws IOException {
        return new ServiceRegistry(model.toString(), "run").read(0).orElseThrow();
    }

    private RenewedEntry entry(Duration period) {
        return new RenewedEntry(model.toString(), "run", period);
    }

    /** Shows who looks twice that the job runs. */
    @Test
    void movesOnUntilItIsClosed() throws Exception {
        RenewedEntry entry = entry(Duration.ofMillis(5));
        entry.publish(3, List.of());
        assertThat(read().hasServers()).isFalse();
        assertThat(read().hasEnded()).isFalse();
        entry.publish(7, List.of("a:1"));
        ServiceAddress first = read();
        Polling.await("not renewed", () -> !read().equals(first));
        assertThat(read().fence()).isEqualTo(7);
        assertThat(read().addresses()).containsExactly("a:1");
        entry.close();
        assertThat(ServiceRegistry.all(model.toString())).isEmpty();
        entry.publish(8, List.of("a:1"));
        entry.close();
        assertThat(ServiceRegistry.all(model.toString())).as("of a thread that is late").isEmpty();
    }

    /** The next attempt of the job has an entry of its own, and not yet. */
    @Test
    void saysThatARunHasEndedWhichAnotherGoesOnFor() throws Exception {
        RenewedEntry entry = entry(Duration.ofHours(1));
        entry.publish(3, List.of("a:1"));
        entry.close(true, RenewedEntry.HUNG);
        assertThat(read().hasEnded()).isTrue();
        assertThat(read().fence()).isEqualTo(3);
    }

    @Test
    void goesOnWhereARenewalFails() throws Exception {
        Path noFolder = Files.createFile(folder.resolve("no folder"));
        try (RenewedEntry entry = entry(Duration.ofMillis(5))) {
            entry.publish(3, List.of("a:1"));
            point(noFolder);
            Thread.sleep(20);
            point(folder.resolve("there"));
            ServiceAddress before = read();
            Polling.await("not renewed", () -> !read().equals(before));
        }
    }

    @Test
    void aWriteThatHangsDoesNotHoldUpTheEnd() throws Exception {
        RenewedEntry entry = entry(Duration.ofHours(1));
        entry.publish(3, List.of("a:1"));
        synchronized (entry) { // as a write does
            CompletableFuture.runAsync(() -> entry.close(false, Duration.ofMillis(10)))
                    .get(60, TimeUnit.SECONDS);
            assertThat(read().addresses()).containsExactly("a:1");
        }
    }

    /** Lets the model's folder be another one, in one step: renewals go on beside. */
    private void point(Path to) throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), to);
        Files.move(link, model, StandardCopyOption.ATOMIC_MOVE);
    }
}
