package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessLockTest {
    @TempDir Path folder;

    private String file() {
        return folder.resolve("below").resolve("a.lock").toString();
    }

    @Test
    void oneOfAProcessHasIt() throws IOException {
        try (ProcessLock first = ProcessLock.take(file())) {
            assertThat(first).isNotNull();
            assertThat(ProcessLock.take(file())).isNull();
        }
        ProcessLock.take(file()).close();
    }

    @Test
    void aProcessThatIsKilledLetsItGo() throws Exception {
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Holder.class.getName(),
                                file())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("taken: true");
            assertThat(ProcessLock.take(file())).isNull();
        } finally {
            other.destroyForcibly();
        }
        assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
        ProcessLock taken = ProcessLock.take(file());
        assertThat(taken).isNotNull();
        taken.close();
    }

    /** Has the lock of a file until it is killed, or its standard input ends. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            try (ProcessLock taken = ProcessLock.take(arguments[0])) {
                System.out.println("taken: " + (taken != null));
                int end = System.in.read();
                System.out.println("ended: " + end);
            }
        }
    }
}
