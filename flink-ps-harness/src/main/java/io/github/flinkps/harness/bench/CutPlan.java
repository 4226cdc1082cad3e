package io.github.flinkps.harness.bench;

import java.time.Duration;

/**
 * The plan of a benchmark of cuts: how large the table is, and how long the parts of a run take.
 *
 * @param sizes of the table and of requests
 * @param nanos of each part without a cut
 * @param limit most time of making the table, and of each cut
 */
record CutPlan(int servers, int workers, Sizes sizes, long nanos, Duration limit) {
    /**
     * Sizes of a table and of requests.
     *
     * @param rows of the table
     * @param stepKeys keys that a step pulls and pushes
     * @param listKeys keys of a push that makes rows
     */
    record Sizes(int rows, int stepKeys, int listKeys) {}

    static final int WIDTH = 16;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Returns a table of so many MiB of values. */
    static CutPlan full(int servers, int workers, int megabytes, long nanos) {
        int rows = Math.toIntExact(((long) megabytes << 20) / (4 * WIDTH));
        return new CutPlan(servers, workers, new Sizes(rows, 10_000, 100_000), nanos, LIMIT);
    }

    static CutPlan quick(int servers, int workers, long nanos) {
        return new CutPlan(servers, workers, new Sizes(1 << 14, 500, 1_000), nanos, LIMIT);
    }

    /** Returns the bytes of values. */
    long modelBytes() {
        return 4L * WIDTH * sizes.rows();
    }

    /**
     * Returns the heap of a server: its share of the table, and what lists of keys and saved rows
     * take in a run of steps. It is no more than there is.
     */
    long heapBytes() {
        long lists = 40_000L * 12 * sizes.stepKeys();
        long wanted = (sizes.rows() * (4L * WIDTH + 20) * 5 / 4 + lists) / servers + (64 << 20);
        return Math.min(wanted, MemoryBound.now().servers() * 3 / 2 / servers) >>> 20 << 20;
    }

    /** Returns why there is no memory for it, or null if there is. */
    String whyNot() {
        return MemoryBound.now().whyNot(sizes.rows(), WIDTH, 8L * WIDTH * sizes.listKeys());
    }
}
