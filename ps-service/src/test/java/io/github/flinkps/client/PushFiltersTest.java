package io.github.flinkps.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushFiltersTest {
    private static final int WIDTH = 2;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** Rows of a mini-batch of weight 4, whose keys are their numbers times seven. */
    private static final class TestingRows implements PushFilter.Rows {
        private final float[] values;
        private final float[] updates;
        private final long clock;
        private final BitSet retained = new BitSet();

        TestingRows(float[] values, float[] updates, long clock) {
            this.values = values;
            this.updates = updates;
            this.clock = clock;
        }

        @Override
        public TableSpec table() {
            return TableSpec.sparse("t", WIDTH, UpdateSpec.of("add"));
        }

        @Override
        public int count() {
            return values.length / WIDTH;
        }

        @Override
        public long key(int row) {
            return 7L * row;
        }

        @Override
        public float[] values() {
            return values;
        }

        @Override
        public float[] updates() {
            return updates;
        }

        @Override
        public double weight() {
            return 4;
        }

        @Override
        public long clock() {
            return clock;
        }

        @Override
        public void retain(int row) {
            retained.set(row);
        }
    }

    private static BitSet retained(PushFilter filter, float[] values, float[] updates) {
        TestingRows rows = new TestingRows(values, updates, 0);
        filter.filter(rows);
        return rows.retained;
    }

    private static BitSet retained(PushFilter filter, float... updates) {
        return retained(filter, new float[updates.length], updates);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, .5", "3, .01", "100, .01", "101, .3", "1000, .999", "5000, .1"})
    void theLongestOfAShareArePushed(int count, double share) {
        float[] updates = new float[count * WIDTH];
        for (int i = 0; i < updates.length; i++) {
            updates[i] = random.nextInt(2) == 0 ? random.nextInt(3) : (float) random.nextGaussian();
        }
        BitSet retained = retained(new LongestFilter(share), updates);
        int sent = (int) Math.ceil(share * count);
        assertThat(retained.cardinality()).as("seed %d", seed).isEqualTo(count - sent);
        double[] lengths =
                IntStream.range(0, count)
                        .mapToDouble(row -> Math.hypot(updates[2 * row], updates[2 * row + 1]))
                        .toArray();
        double shortest =
                IntStream.range(0, count)
                        .filter(row -> !retained.get(row))
                        .mapToDouble(row -> lengths[row])
                        .min()
                        .getAsDouble();
        assertThat(retained.stream().allMatch(row -> lengths[row] <= shortest + 1e-6))
                .as("seed %d", seed)
                .isTrue();
    }

    @Test
    void ofEqualRowsTheFirstArePushed() {
        LongestFilter filter = new LongestFilter(.5);
        assertThat(retained(filter, 1, 0, 0, 1, -1, 0, 0, 1)).isEqualTo(bits(2, 3));
        assertThat(retained(filter, 1, 0, 3, 0, 1, 0, 1, 0)).isEqualTo(bits(2, 3));
        assertThat(retained(filter, 0, 0, 0, 0)).isEqualTo(bits(1));
    }

    private static BitSet bits(int... places) {
        BitSet bits = new BitSet();
        Arrays.stream(places).forEach(bits::set);
        return bits;
    }

    @Test
    void aShareIsDrawnAnewByEachMiniBatch() {
        int count = 20_000;
        float[] rows = new float[count * WIDTH];
        RandomFilter filter = new RandomFilter(.3);
        BitSet everRetained = new BitSet();
        BitSet everSent = new BitSet();
        for (int clock = 0; clock < 20; clock++) {
            TestingRows drawn = new TestingRows(rows, rows, clock);
            filter.filter(drawn);
            assertThat(drawn.retained.cardinality()).isBetween(13_600, 14_400); // .7, six sigma
            TestingRows again = new TestingRows(rows, rows, clock);
            filter.filter(again);
            assertThat(again.retained).isEqualTo(drawn.retained);
            everRetained.or(drawn.retained);
            drawn.retained.flip(0, count);
            everSent.or(drawn.retained);
        }
        assertThat(everRetained.cardinality()).isEqualTo(count);
        assertThat(everSent.cardinality()).isGreaterThan(count * 99 / 100);
        assertThat(retained(new RandomFilter(1), rows).isEmpty()).isTrue();
    }

    @Test
    void eitherOfTwoFiltersRetains() {
        PushFilter both = new SignificanceFilter(.1).or(new LongestFilter(.5));
        float[] values = {0, 0, 1, 1, 1, 1, 0, 0};
        float[] updates = {.1f, 0, .5f, 0, 0, .6f, 0, .7f};
        assertThat(retained(both, values, updates)).isEqualTo(bits(0, 1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -.1, 1.1, Double.NaN})
    void sharesAreAboveZeroAndAtMostOne(double share) {
        assertThatThrownBy(() -> new LongestFilter(share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("push-share must be above 0 and at most 1");
        assertThatThrownBy(() -> new RandomFilter(share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("push-share must be above 0 and at most 1");
    }
}
