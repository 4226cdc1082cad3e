package io.github.flinkps.harness.bench;

import java.util.Set;

/**
 * What to measure, and how large.
 *
 * @param cases any of {@code dense, sparse, small}
 * @param servers server processes
 * @param clients clients, each with a thread and connections of its own
 * @param inFlight operations that a client keeps under way, but in small pulls
 * @param nanos time of a case, and of its bare transfer
 */
record BenchPlan(
        Set<String> cases, int servers, int clients, int inFlight, long nanos, Sizes sizes) {
    static final int SMALL = 100;

    /**
     * Sizes of tables and operations.
     *
     * @param floats of dense ranges
     * @param listKeys keys of a sparse operation
     * @param tableKeys keys of sparse tables
     */
    record Sizes(int[] floats, int listKeys, int[] widths, int[] tableKeys) {
        static Sizes full() {
            return new Sizes(
                    new int[] {1_000, 10_000, 100_000, 1_000_000, 10_000_000},
                    100_000,
                    new int[] {1, 16, 64},
                    new int[] {100_000, 1 << 24});
        }

        static Sizes quick() {
            return new Sizes(
                    new int[] {1_000, 10_000},
                    1_000,
                    new int[] {1, 16},
                    new int[] {1_000, 1 << 14});
        }

        boolean isFull() {
            return listKeys == 100_000;
        }
    }

    /** Returns the case of a sparse table; only that of width 1 has an aim. */
    BenchCase sparse(int tableKeys, int width, String lists) {
        String size = tableKeys % 1_000 == 0 ? tableKeys / 1_000 + "k" : (tableKeys >> 20) + "m";
        if (tableKeys < 1 << 20 && tableKeys % 1_000 != 0) {
            size = (tableKeys >> 10) + "k";
        }
        boolean small = tableKeys == 100_000;
        double aim =
                switch (lists) {
                    case "sent" -> small ? 40e6 : 12e6;
                    case "cached" -> small ? 200e6 : 50e6;
                    default -> 0;
                };
        return BenchCase.keys(
                "sparse-" + size + "-" + lists, width == 1 && sizes.isFull() ? aim : 0);
    }
}
