package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CountsTest {
    private static final int NUMBERS = 100;

    private static int[] times(int each) {
        int[] times = new int[NUMBERS];
        Arrays.fill(times, each);
        return times;
    }

    @Test
    void whatIsAsItMustBeDiffersInNothing() {
        Counts.Difference same = Counts.of(times(3)).from(Counts.of(times(3)));
        assertThat(same).isEqualTo(new Counts.Difference(NUMBERS + 2 * 17 + 1, 0, 0));
        assertThat(same.none()).isTrue();
    }

    /**
     * A lost record is missed in its own count, in both counts that it shares, and in the total.
     */
    @Test
    void aRecordThatIsLostIsMissedEverywhere() {
        int[] times = times(1);
        times[42] = 0;
        Counts counts = Counts.of(times);
        assertThat(counts.from(Counts.of(times(1))))
                .extracting("lost", "doubled")
                .containsExactly(4L, 0L);
        assertThat(counts.examples(Counts.of(times(1))))
                .startsWith("own 42 is 0.0 not 1.0, shared");
    }

    @Test
    void aRecordThatIsDoubledIsSeenEverywhere() {
        int[] times = times(2);
        times[0] = 3;
        assertThat(Counts.of(times).from(Counts.of(times(2))))
                .extracting("lost", "doubled")
                .containsExactly(0L, 4L);
    }

    /** One update of three, of one table alone. */
    @Test
    void anUpdateThatIsTornIsSeen() {
        Counts counts = Counts.of(times(1));
        counts.add(2, 0, 0, -1);
        assertThat(counts.from(Counts.of(times(1))))
                .extracting("lost", "doubled")
                .containsExactly(1L, 0L);
    }

    @Test
    void whatIsNoNumberIsLost() {
        Counts counts = Counts.of(times(1));
        counts.add(2, 0, 0, Float.NaN);
        assertThat(counts.from(Counts.of(times(1))).none()).isFalse();
    }
}
