package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EntryWatchTest {
    private static final long HOUR = 3_600_000;

    private long seconds = 17;
    private final EntryWatch watch = new EntryWatch(() -> seconds * 1_000_000_000, () -> HOUR);

    private static ServiceAddress entry(String run, long expiryMillis) {
        return new ServiceAddress(run, 1, List.of("a:1"), expiryMillis);
    }

    private boolean isAlive(ServiceAddress entry) {
        return watch.alive(List.of(entry)).contains(entry);
    }

    @Test
    void anEntryThatIsRenewedIsAliveWhateverItsTime() {
        assertThat(isAlive(entry("r", 5))).isFalse();
        seconds += 20;
        assertThat(isAlive(entry("r", 5))).isFalse();
        seconds += 20;
        assertThat(isAlive(entry("r", 6))).isTrue();
        seconds += 59;
        assertThat(isAlive(entry("r", 6))).isTrue();
        seconds += 1;
        assertThat(isAlive(entry("r", 6))).isFalse();
        assertThat(isAlive(entry("r", 7))).isTrue();
    }

    @Test
    void anEntryThatIsNotRenewedWasLeftBehindWhateverItsTime() {
        assertThat(isAlive(entry("r", 2 * HOUR))).isTrue();
        seconds += 59;
        assertThat(isAlive(entry("r", 2 * HOUR))).isTrue();
        seconds += 1;
        assertThat(isAlive(entry("r", 2 * HOUR))).isFalse();
    }

    @Test
    void runsAreJudgedEachByItself() {
        assertThat(watch.alive(List.of(entry("r", 5), entry("s", HOUR))))
                .containsExactly(entry("s", HOUR));
        assertThat(watch.alive(List.of(entry("r", 6), entry("s", HOUR))))
                .containsExactly(entry("r", 6), entry("s", HOUR));
        watch.alive(List.of());
        assertThat(isAlive(entry("r", 7))).as("as one that is new").isFalse();
    }

    @Test
    void whatOutlivesItsJobStays() {
        ServiceAddress lasting = entry("r", ServiceAddress.NEVER);
        assertThat(isAlive(lasting)).isTrue();
        seconds += 600;
        assertThat(isAlive(lasting)).isTrue();
    }
}
