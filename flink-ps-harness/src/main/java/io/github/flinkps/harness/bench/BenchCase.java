package io.github.flinkps.harness.bench;

/**
 * A case and what is aimed at.
 *
 * @param name as reported
 * @param aim least or, for times, greatest figure; 0 for none
 * @param ofPlain the least share of the same without encryption; 0 for none
 */
record BenchCase(String name, Kind kind, double aim, double ofPlain) {
    /** The quantity that the aim is about. */
    enum Kind {
        /** Share of the bare transfer. */
        SHARE,
        /** Keys per second. */
        KEYS,
        /** Microseconds of the median. */
        MEDIAN
    }

    static BenchCase share(String name, double aim) {
        return new BenchCase(name, Kind.SHARE, aim, 0);
    }

    /** Returns a case that aims at shares of the encrypted bare transfer and the plain case. */
    static BenchCase tls(String name, double ofBare, double ofPlain) {
        return new BenchCase(name, Kind.SHARE, ofBare, ofPlain);
    }

    static BenchCase keys(String name, double aim) {
        return new BenchCase(name, Kind.KEYS, aim, 0);
    }

    static BenchCase median(String name, double micros) {
        return new BenchCase(name, Kind.MEDIAN, micros, 0);
    }

    String aimText() {
        if (aim == 0) {
            return "-";
        }
        return switch (kind) {
            case SHARE -> "ratio " + aim + (ofPlain == 0 ? "" : ", " + ofPlain);
            case KEYS -> Math.round(aim / 1e6) + " M/s";
            case MEDIAN -> "p50 " + Math.round(aim);
        };
    }

    /**
     * Says whether the aim was met.
     *
     * @param ratio to the bare transfer
     * @param toPlain to the same without encryption, if that was measured
     */
    String met(BenchRow row, double ratio, double toPlain) {
        if (aim == 0) {
            return "-";
        }
        boolean met =
                switch (kind) {
                    case SHARE -> ratio >= aim && toPlain >= ofPlain;
                    case KEYS -> row.keysPerSecond() >= aim;
                    case MEDIAN -> row.p50Micros() < aim;
                };
        return met ? "yes" : "no";
    }
}
