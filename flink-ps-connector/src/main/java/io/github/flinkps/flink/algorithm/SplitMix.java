package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.KeyHash;

/** Random numbers by seed and index: SplitMix64, whose numbers need no state. */
final class SplitMix {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private SplitMix() {}

    /** Returns the number at an index. */
    static long at(long seed, long index) {
        return KeyHash.mix64(KeyHash.mix64(seed) + index * GAMMA);
    }

    /** Returns the number at an index, from 0 to {@code bound - 1}. */
    static long below(long bound, long seed, long index) {
        return Long.remainderUnsigned(at(seed, index), bound);
    }
}
