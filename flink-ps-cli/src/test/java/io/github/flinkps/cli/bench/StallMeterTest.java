package io.github.flinkps.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallMeterTest {
    /** A process that is stopped stands still, whatever the machine does. */
    @Test
    void seesAProcessThatStoodStill() throws Exception {
        try (StallMeter stalls = new StallMeter()) {
            long self = ProcessHandle.current().pid();
            Thread.sleep(50);
            assertThat(stalls.takeLongestMillis()).isPositive();
            new ProcessBuilder("sh", "-c", "kill -STOP " + self + "; sleep .4; kill -CONT " + self)
                    .start()
                    .waitFor();
            Thread.sleep(50);
            assertThat(stalls.takeLongestMillis()).isGreaterThan(200);
        }
    }
}
