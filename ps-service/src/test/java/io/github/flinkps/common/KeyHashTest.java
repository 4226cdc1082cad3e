package io.github.flinkps.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyHashTest {
    @Test
    void theInverseFindsTheKeyForEveryNumberOfBits() {
        long seed = System.nanoTime();
        System.out.println("KeyHashTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int bits = 1; bits <= 64; bits++) {
            KeyHash hash = KeyHash.of(bits);
            for (int i = 0; i < 20_000; i++) {
                long key = i < 100 ? i : random.nextLong();
                key = bits == 64 ? key : key & ((1L << bits) - 1);
                long h = hash.hash(key);
                if (hash.key(h) != key || (bits < 64 && h << bits != 0)) {
                    throw new AssertionError("bits " + bits + " key " + key + " hash " + h);
                }
            }
        }
    }

    @Test
    void noTwoKeysOfASmallSpaceShareAHash() {
        for (int bits = 1; bits <= 20; bits++) {
            KeyHash hash = KeyHash.of(bits);
            BitSet seen = new BitSet(1 << bits);
            for (long key = 0; key < 1L << bits; key++) {
                seen.set((int) (hash.hash(key) >>> (64 - bits)));
            }
            assertThat(seen.cardinality()).as("bits %d", bits).isEqualTo(1 << bits);
        }
    }

    @Test
    void consecutiveKeysSpreadOverPartitionsAndWithinThem() {
        for (int bits : new int[] {12, 14, 17, 20, 24, 32, 48, 63, 64}) {
            KeyHash hash = KeyHash.of(bits);
            for (long stride : new long[] {1, 16, 64}) {
                int keys = (int) Math.min(1 << 16, (1L << Math.min(bits, 40)) / stride);
                assertSpread(hash, stride, keys, Math.min(64, Math.max(2, keys / 64)));
                if (bits > 20) {
                    assertSpread(hash, stride, keys, 1024);
                }
            }
        }
    }

    /**
     * Chi-squared over the top bits: at most its mean plus eight deviations; permuted small spaces
     * lie far below.
     */
    private static void assertSpread(KeyHash hash, long stride, int keys, int cells) {
        int log = Integer.numberOfTrailingZeros(Integer.highestOneBit(cells));
        int[] counts = new int[1 << log];
        for (int i = 0; i < keys; i++) {
            counts[(int) (hash.hash(i * stride) >>> (64 - log))]++;
        }
        double expected = keys / (double) counts.length;
        double chi = 0;
        for (int count : counts) {
            chi += (count - expected) * (count - expected) / expected;
        }
        double limit = counts.length + 8 * Math.sqrt(2.0 * counts.length);
        assertThat(chi)
                .as("bits %d stride %d cells %d", hash.bits(), stride, counts.length)
                .isLessThan(limit);
    }

    @Test
    void hashesAreThoseOfTheFileFormat() {
        // SplitMix64 with seed 0 gives mix64 of the golden gamma first
        assertThat(KeyHash.mix64(0x9E3779B97F4A7C15L)).isEqualTo(0xE220A8397B1DCDAFL);
        assertThat(KeyHash.of(64).hash(0)).isZero();
        assertThat(KeyHash.of(64).hash(1)).isEqualTo(KeyHash.mix64(1));
    }

    @Test
    void keysOutsideTheSpaceAreKnown() {
        assertThat(KeyHash.of(20).contains((1 << 20) - 1)).isTrue();
        assertThat(KeyHash.of(20).contains(1 << 20)).isFalse();
        assertThat(KeyHash.of(20).contains(-1)).isFalse();
        assertThat(KeyHash.of(63).contains(Long.MAX_VALUE)).isTrue();
        assertThat(KeyHash.of(63).contains(Long.MIN_VALUE)).isFalse();
        assertThat(KeyHash.of(64).contains(Long.MIN_VALUE)).isTrue();
        assertThatThrownBy(() -> KeyHash.of(0)).hasMessageContaining("key-bits");
        assertThatThrownBy(() -> KeyHash.of(65)).hasMessageContaining("key-bits");
    }
}
