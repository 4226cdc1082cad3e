package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.Seeds;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HashIndexTest {
    /** All, some or none of the rows taken back have been added; others come in their place. */
    @Test
    void rowsTakenBackAreAsIfTheyHadNotBeenAdded() {
        Seeds.forEach("hashes added and taken back", 20, this::addAndTakeBack);
    }

    private void addAndTakeBack(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LongChunks hashes = new LongChunks();
        HashIndex index = new HashIndex(0, 64, hashes);
        for (int step = 0; step < 100; step++) {
            int kept = hashes.size();
            append(hashes, random, 1 + random.nextInt(1 << 1 + random.nextInt(14)));
            index.insert(kept);
            if (random.nextInt(3) == 0) {
                append(hashes, random, random.nextInt(100));
                long[] before = all(hashes);
                index.remove(kept);
                hashes.truncate(kept);
                assertThat(find(index, before)).isEqualTo(rows(kept, before.length));
            }
        }
        long[] all = all(hashes);
        assertThat(find(index, all)).isEqualTo(rows(all.length, all.length));
    }

    /** Some of them crowd at the first place and at the last, behind which is the first. */
    private static void append(LongChunks hashes, SplittableRandom random, int count) {
        hashes.growTo(hashes.size() + count);
        for (int i = 0; i < count; i++) {
            long hash = random.nextLong();
            hashes.append(random.nextInt(64) == 0 ? hash >> 24 : hash);
        }
    }

    private static long[] all(LongChunks hashes) {
        return IntStream.range(0, hashes.size()).mapToLong(hashes::get).toArray();
    }

    private static int[] find(HashIndex index, long[] hashes) {
        int[] rows = new int[hashes.length];
        index.find(hashes, 0, hashes.length, rows, Scratch.ofThread());
        return rows;
    }

    /** Returns rows of which so many are known, of so many. */
    private static int[] rows(int known, int count) {
        return IntStream.range(0, count).map(row -> row < known ? row : -1).toArray();
    }
}
