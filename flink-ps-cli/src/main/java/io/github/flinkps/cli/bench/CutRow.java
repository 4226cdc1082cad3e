package io.github.flinkps.cli.bench;

/**
 * What was measured of one cut.
 *
 * @param kind {@code full}, or {@code increment}: rows changed since the cut before
 * @param modelBytes values of all rows
 * @param workers that trained
 * @param longestMillis longest step of any worker from the first marker until the cut was durable
 * @param longestMillisWithout longest step of any worker in as long a time without a cut
 * @param stepsPerSecond of all workers while the cut was taken
 * @param stepsPerSecondWithout of all workers without a cut
 * @param seconds from the first marker until the cut was durable
 * @param rows written
 * @param writtenBytes of its files
 * @param savedBytes most memory that copying on write took
 */
record CutRow(
        String kind,
        long modelBytes,
        int servers,
        int workers,
        double longestMillis,
        double longestMillisWithout,
        double stepsPerSecond,
        double stepsPerSecondWithout,
        double seconds,
        long rows,
        long writtenBytes,
        long savedBytes) {
    /** What the longest step should stay below. */
    static final int AIM_MILLIS = 50;

    boolean met() {
        return longestMillis < AIM_MILLIS;
    }
}
