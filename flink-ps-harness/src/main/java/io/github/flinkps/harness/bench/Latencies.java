package io.github.flinkps.harness.bench;

/**
 * Counts times in buckets of 1/64 of their size, so that any number of them takes the same memory.
 * Thread-safe.
 */
final class Latencies {
    private static final int DIGITS = 6;
    private static final int LINEAR = 1 << DIGITS;

    private final long[] counts = new long[LINEAR * (65 - DIGITS)];
    private long total;
    private long longest;

    synchronized void record(long nanos) {
        counts[bucket(Math.max(0, nanos))]++;
        total++;
        longest = Math.max(longest, nanos);
    }

    /** Returns how many there are. */
    synchronized long count() {
        return total;
    }

    /** Returns the longest of all in microseconds, exactly; 0 if there are none. */
    synchronized double longestMicros() {
        return longest / 1e3;
    }

    /** Adds what another has until now, of which more may be recorded meanwhile. */
    void add(Latencies other) {
        Latencies until = other.copy();
        synchronized (this) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += until.counts[i];
            }
            total += until.total;
            longest = Math.max(longest, until.longest);
        }
    }

    private synchronized Latencies copy() {
        Latencies copy = new Latencies();
        System.arraycopy(counts, 0, copy.counts, 0, counts.length);
        copy.total = total;
        copy.longest = longest;
        return copy;
    }

    private static int bucket(long nanos) {
        int shift = Math.max(0, 64 - DIGITS - 1 - Long.numberOfLeadingZeros(nanos));
        return shift * LINEAR + (int) (nanos >>> shift);
    }

    /**
     * Returns the time in microseconds that a share of all were not above, to 1/64 of itself, and
     * never more than the longest; 0 if there are none.
     */
    synchronized double micros(double share) {
        long wanted = (long) Math.ceil(share * total);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted && seen > 0) {
                return Math.min(highest(i), (double) longest) / 1e3;
            }
        }
        return 0;
    }

    /** Returns the largest time of a bucket. */
    private static double highest(int bucket) {
        int shift = Math.max(0, bucket / LINEAR - 1);
        long digits = bucket - (long) shift * LINEAR;
        return (digits + 1) * Math.pow(2, shift) - 1;
    }
}
