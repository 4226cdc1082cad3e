package io.github.flinkps.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallMeterTest {
    /** A process that is stopped stands still, whatever the machine does. */
    @Test
    void seesAProcessThatStoodStill() throws Exception {
        try (StallMeter stalls = new StallMeter()) {
            long self = ProcessHandle.current().pid();
            awaitLongerThan(0, stalls);
            new ProcessBuilder("sh", "-c", "kill -STOP " + self + "; sleep .4; kill -CONT " + self)
                    .start()
                    .waitFor();
            awaitLongerThan(200, stalls);
        }
    }

    private static void awaitLongerThan(double millis, StallMeter stalls) throws Exception {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (stalls.takeLongestMillis() <= millis) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(10);
        }
    }
}
