package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.KeyHash;

/** Numbers that follow from a seed and a place: SplitMix64. */
final class Draws {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private Draws() {}

    /** Returns the number at a place. */
    static long at(long seed, long place) {
        return KeyHash.mix64(KeyHash.mix64(seed) + place * GAMMA);
    }

    /** Returns the number at a place, from 0 to {@code bound - 1}. */
    static long below(long bound, long seed, long place) {
        return Long.remainderUnsigned(at(seed, place), bound);
    }
}
