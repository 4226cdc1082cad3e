package io.github.flinkps.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void percentilesAreExactToASixtyFourth() {
        Latencies latencies = new Latencies();
        for (int i = 1; i <= 100_000; i++) {
            latencies.record(i * 1000L);
        }
        assertThat(latencies.micros(.5)).isCloseTo(50_000, within(50_000 / 64.0));
        assertThat(latencies.micros(.99)).isCloseTo(99_000, within(99_000 / 64.0));
        assertThat(latencies.micros(.999)).isCloseTo(99_900, within(99_900 / 64.0));
        assertThat(latencies.micros(1)).isGreaterThanOrEqualTo(100_000);
    }

    @Test
    void shortAndLongTimesHaveTheirBuckets() {
        for (long nanos : new long[] {0, 1, 63, 64, 127, 128, 129, 1L << 40, Long.MAX_VALUE}) {
            Latencies latencies = new Latencies();
            latencies.record(nanos);
            assertThat(latencies.micros(.5))
                    .isCloseTo(nanos / 1e3, within(nanos / 64.0 / 1e3 + 1e-9));
        }
        assertThat(new Latencies().micros(.5)).isZero();
    }

    @Test
    void sumsCountBoth() {
        Latencies one = new Latencies();
        Latencies other = new Latencies();
        one.record(100);
        other.record(1000);
        other.record(1000);
        one.add(other);
        assertThat(one.micros(.3)).isCloseTo(.1, within(.002));
        assertThat(one.micros(.5)).isCloseTo(1, within(.02));
    }

    @Test
    void sumsAreWholeWhileMoreIsRecorded() throws Exception {
        Latencies recorded = new Latencies();
        AtomicBoolean over = new AtomicBoolean();
        Thread recorder =
                new Thread(
                        () -> {
                            for (long nanos = 0; !over.get(); nanos = (nanos + 97) % 10_000_000) {
                                recorded.record(nanos);
                            }
                        });
        recorder.start();
        try {
            for (int i = 0; i < 2000; i++) {
                Latencies sum = new Latencies();
                sum.add(recorded);
                assertThat(sum.micros(1) > 0).isEqualTo(sum.longestMicros() > 0);
            }
        } finally {
            over.set(true);
            recorder.join();
        }
    }

    /** Buckets end behind what is in them, and no share does. */
    @Test
    void noShareIsAboveTheLongest() {
        Latencies latencies = new Latencies();
        for (long nanos = 1; nanos < 1L << 40; nanos = nanos * 5 / 3 + 1) {
            latencies.record(nanos);
            assertThat(latencies.longestMicros()).isEqualTo(nanos / 1e3);
            for (double share : new double[] {.5, .99, .999, 1}) {
                assertThat(latencies.micros(share)).isLessThanOrEqualTo(nanos / 1e3);
            }
        }
        Latencies all = new Latencies();
        all.record(3);
        all.add(latencies);
        assertThat(all.longestMicros()).isEqualTo(latencies.longestMicros());
        assertThat(all.count()).isEqualTo(latencies.count() + 1);
    }
}
