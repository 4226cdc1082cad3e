package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FullHeapTest {
    /** In a process of its own: a full heap is that of all threads. */
    @Test
    void rowsThatThereIsNoMemoryForAreNotBorn() throws Exception {
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
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(output);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }
}
