package io.github.flinkps.harness.bench;

import java.util.Set;

/**
 * The plan of a benchmark: what to measure, and how large.
 *
 * @param cases any of {@code dense, sparse, small}
 * @param servers server processes
 * @param clients clients, each with a thread and connections of its own
 * @param inFlight operations that a client keeps under way, but in small pulls
 * @param nanos time of a case, and of its bare transfer
 * @param tls whether to measure encrypted servers, beside plain ones
 */
record BenchPlan(
        Set<String> cases,
        int servers,
        int clients,
        int inFlight,
        long nanos,
        boolean tls,
        Sizes sizes) {
    /** The least share of the bare transfer that an encrypted exchange is to reach. */
    private static final double TLS_SHARE = .8;

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

    /** Returns the case of a dense table. */
    BenchCase dense(int floats) {
        return tls
                ? BenchCase.tls("dense", TLS_SHARE, floats == 1_000_000 ? .3 : 0)
                : BenchCase.share("dense", .8);
    }

    /** Returns the case of pulls of a few floats. */
    BenchCase small(String name) {
        return tls ? BenchCase.tls(name, TLS_SHARE, 0) : BenchCase.median(name, 80);
    }

    /** Returns the case of a sparse table; only that of width 1 has an aim. */
    BenchCase sparse(int tableKeys, int width, String lists) {
        String size = tableKeys % 1_000 == 0 ? tableKeys / 1_000 + "k" : (tableKeys >> 20) + "m";
        if (tableKeys < 1 << 20 && tableKeys % 1_000 != 0) {
            size = (tableKeys >> 10) + "k";
        }
        boolean small = tableKeys == 100_000;
        String name = "sparse-" + size + "-" + lists;
        if (tls) {
            boolean aimed = small && lists.equals("cached") && width == 1;
            return BenchCase.tls(name, TLS_SHARE, aimed ? .45 : 0);
        }
        double aim =
                switch (lists) {
                    case "sent" -> small ? 40e6 : 12e6;
                    case "cached" -> small ? 200e6 : 50e6;
                    default -> 0;
                };
        return BenchCase.keys(name, width == 1 && sizes.isFull() ? aim : 0);
    }
}
