package io.github.flinkps.harness.bench;

/**
 * The operations completed within a stretch of time.
 *
 * @param operations completed
 * @param nanos from the start of the first to the end of the last
 */
record Slice(long operations, long nanos, Latencies latencies) {
    static Slice none() {
        return new Slice(0, 0, new Latencies());
    }

    /** Returns the sum of both slices, as of one after the other. */
    Slice plus(Slice other) {
        Latencies both = new Latencies();
        both.add(latencies);
        both.add(other.latencies);
        return new Slice(operations + other.operations, nanos + other.nanos, both);
    }

    double perSecond() {
        return nanos == 0 ? 0 : operations * 1e9 / nanos;
    }
}
