package io.github.flinkps.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UniqueHashesTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** Compares both ways with each other, and with what they are made of. */
    private static void check(long[] hashes) {
        UniqueHashes table = UniqueHashes.of(hashes, true);
        UniqueHashes sorting = UniqueHashes.of(hashes, false);
        assertThat(table.sorted()).isEqualTo(sorting.sorted());
        assertThat(table.positions()).isEqualTo(sorting.positions());
        assertThat(table.sorted()).hasSize((int) Arrays.stream(hashes).distinct().count());
        for (UniqueHashes unique : new UniqueHashes[] {table, sorting}) {
            for (int i = 0; i < hashes.length; i++) {
                if (unique.sorted()[unique.positions()[i]] != hashes[i]) {
                    throw new AssertionError("position " + i + " of " + hashes.length);
                }
            }
            for (int i = 0; i < unique.sorted().length; i++) {
                if (hashes[unique.firsts()[i]] != unique.sorted()[i]
                        || i > 0
                                && Long.compareUnsigned(unique.sorted()[i - 1], unique.sorted()[i])
                                        >= 0) {
                    throw new AssertionError("unique " + i + " of " + hashes.length);
                }
            }
        }
    }

    @Test
    void bothWaysGiveTheSame() {
        System.out.println("seed " + seed);
        for (int size : new int[] {0, 1, 1023, 1024, 2047, 2048, 2049, 9000, 150_000}) {
            for (int different : new int[] {1, 2, 700, 2048, 2049, 40_000, Integer.MAX_VALUE}) {
                long[] values = random.longs(Math.min(Math.max(1, size), different)).toArray();
                check(random.ints(size, 0, values.length).mapToLong(i -> values[i]).toArray());
            }
        }
    }

    /** Dense tables' keys are small numbers, zero too, in any order. */
    @Test
    void smallNumbersThatFollowEachOther() {
        System.out.println("seed " + seed);
        check(random.longs(5000, 0, 300).toArray());
        check(LongStream.range(0, 20_000).map(i -> i / 3).toArray());
        check(LongStream.range(0, 5000).map(i -> i << 52).toArray());
    }

    @Test
    void whatRepeatsIsExpectedToRepeat() {
        long[] different = random.longs(2000).toArray();
        long[] repeated = new long[2000];
        assertThat(UniqueHashes.of(different, true).repeats(true)).isFalse();
        assertThat(UniqueHashes.of(repeated, false).repeats(false)).isTrue();
        long[] few = new long[10];
        assertThat(UniqueHashes.of(few, true).repeats(true)).as("few say nothing").isTrue();
        assertThat(UniqueHashes.of(few, true).repeats(false)).as("few say nothing").isFalse();
    }
}
