package io.github.flinkps.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeySorterTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private static void check(long[] hashes, int count) {
        int[] order = KeySorter.order(hashes, count);
        assertThat(order).hasSize(count);
        boolean[] seen = new boolean[count];
        for (int i = 0; i < count; i++) {
            seen[order[i]] = true;
            if (i > 0 && Long.compareUnsigned(hashes[order[i - 1]], hashes[order[i]]) > 0) {
                throw new AssertionError("entry " + i + " of " + count + " is out of order");
            }
        }
        assertThat(IntStream.range(0, count).allMatch(i -> seen[i])).isTrue();
    }

    @Test
    void sortsEverySize() {
        System.out.println("seed " + seed);
        for (int size = 0; size < 300; size++) {
            check(random.longs(size).toArray(), size);
        }
        for (int size : new int[] {1 << 11, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 1_200_000}) {
            check(random.longs(size).toArray(), size);
        }
        check(random.longs(100).toArray(), 70);
    }

    @Test
    void sortsKeysThatShareTheirLeadingBits() {
        System.out.println("seed " + seed);
        for (int bits : new int[] {0, 1, 3, 17, 30, 45}) {
            for (int size : new int[] {40, 5000, 200_000}) {
                long base = random.nextLong() << bits;
                long mask = (1L << bits) - 1;
                check(random.longs(size).map(k -> base | (k & mask)).toArray(), size);
            }
        }
    }

    /** Sorts where an insertion sort would take minutes. */
    @Test
    void sortsClustersFarApart() {
        System.out.println("seed " + seed);
        long[] clusters = random.longs(7).toArray();
        long[] keys =
                random.longs(400_000)
                        .map(k -> clusters[(int) (k >>> 61) % 7] + ((k & 0xFFFFF) - 0x80000))
                        .toArray();
        check(keys, keys.length);
        keys[0] = -1;
        for (int i = 1; i < keys.length; i++) {
            keys[i] = (long) keys.length - i;
        }
        check(keys, keys.length);
    }
}
