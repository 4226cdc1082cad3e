package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullHeapTest {
    /** Runs in a process of its own, as a full heap is that of all threads. */
    @Test
    void rowsThatThereIsNoMemoryForAreNotBorn(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        long seed = System.nanoTime();
        System.out.println("FullHeapTest seed " + seed);
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-ea",
                                "-Xmx48m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                FullHeap.class.getName(),
                                Long.toString(seed))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
            System.out.print(Files.readString(output));
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    }
}
