package io.github.flinkps.harness.bench;

/**
 * A case and what is aimed at.
 *
 * @param name as reported
 * @param aim least or, for times, greatest figure; 0 for none
 */
record BenchCase(String name, Kind kind, double aim) {
    /** What the aim is about. */
    enum Kind {
        /** Share of the bare transfer. */
        SHARE,
        /** Keys per second. */
        KEYS,
        /** Microseconds of the median. */
        MEDIAN
    }

    static BenchCase share(String name, double aim) {
        return new BenchCase(name, Kind.SHARE, aim);
    }

    static BenchCase keys(String name, double aim) {
        return new BenchCase(name, Kind.KEYS, aim);
    }

    static BenchCase median(String name, double micros) {
        return new BenchCase(name, Kind.MEDIAN, micros);
    }

    String aimText() {
        if (aim == 0) {
            return "-";
        }
        return switch (kind) {
            case SHARE -> "ratio " + aim;
            case KEYS -> Math.round(aim / 1e6) + " M/s";
            case MEDIAN -> "p50 " + Math.round(aim);
        };
    }

    String met(BenchRow row, double ratio) {
        if (aim == 0) {
            return "-";
        }
        boolean met =
                switch (kind) {
                    case SHARE -> ratio >= aim;
                    case KEYS -> row.keysPerSecond() >= aim;
                    case MEDIAN -> row.p50Micros() < aim;
                };
        return met ? "yes" : "no";
    }
}
