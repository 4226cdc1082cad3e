package io.github.flinkps.harness.bench;

/**
 * The measurements of one part of a run; 0 stands for what a part does not have.
 *
 * @param part {@code fill}: the table is made; {@code without} a cut; {@code full}, {@code
 *     increment}: such a cut is taken; {@code storage}: a file is written as fast as the storage
 *     takes it
 * @param modelBytes values of all rows
 * @param workers that trained
 * @param seconds of the part; a cut's from the first marker until it was durable
 * @param durable whether the part's cut has come to be; true for other parts
 * @param stepsPerSecond of all workers
 * @param p50Millis of the steps of all workers
 * @param longestMillis longest step of any worker
 * @param stallMillis longest time for which the machine, or the clients, stood still; see {@link
 *     StallMeter}
 * @param rows written
 * @param writtenBytes of files
 * @param savedBytes most memory that copying on write took
 */
record CutRow(
        String part,
        long modelBytes,
        int servers,
        int workers,
        double seconds,
        boolean durable,
        double stepsPerSecond,
        double p50Millis,
        double p99Millis,
        double p999Millis,
        double longestMillis,
        double stallMillis,
        long rows,
        long writtenBytes,
        long savedBytes) {
    /** The time below which the longest step should stay while a cut is taken. */
    static final int AIM_MILLIS = 50;

    static final String WITHOUT = "without";

    /** Returns a part in which nobody trained. */
    static CutRow untrained(CutPlan plan, String part, double seconds, long rows, long bytes) {
        return new CutRow(
                part,
                plan.modelBytes(),
                plan.servers(),
                plan.workers(),
                seconds,
                true,
                0,
                0,
                0,
                0,
                0,
                0,
                rows,
                bytes,
                0);
    }

    boolean isCut() {
        return longestMillis > 0 && !part.equals(WITHOUT);
    }

    boolean met() {
        return durable && longestMillis < AIM_MILLIS;
    }
}
