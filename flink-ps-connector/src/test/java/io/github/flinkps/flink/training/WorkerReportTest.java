package io.github.flinkps.flink.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerReportTest {
    /** Prints what a stream of reports shows. */
    @Test
    void isReadAsWords() {
        WorkerReport report =
                new WorkerReport(
                        1,
                        2,
                        100,
                        0,
                        0,
                        2,
                        8,
                        new double[] {69.3, 41},
                        new double[] {100, 100},
                        new double[0],
                        1234,
                        567,
                        0,
                        0,
                        0,
                        0,
                        0);
        assertThat(report)
                .hasToString(
                        "worker 2 of 2: 100 rows, loss in each pass 0.6930, 0.4100,"
                                + " 1234 bytes sent, 567 received");
    }
}
