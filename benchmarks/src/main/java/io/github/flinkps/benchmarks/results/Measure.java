package io.github.flinkps.benchmarks.results;

import java.io.IOException;

/**
 * A measure of a job and what it is to reach.
 *
 * @param name as in the report
 * @param reference what it is compared with, and where that comes from
 * @param value of the reference
 * @param aim in words
 * @param limit that the aim sets
 * @param atLeast whether the measure is to be at least the limit, else at most
 */
record Measure(
        String name, String reference, Reference value, String aim, Limit limit, boolean atLeast) {
    /** A number that may come from the run: NaN if what it comes from has not run. */
    interface Reference {
        double of(ResultsRun run, Shape shape) throws IOException;
    }

    /** The limit that follows from a reference. */
    interface Limit {
        double of(double reference);
    }

    /** Returns a published number, and an aim that is a number. */
    static Measure atLeast(String name, double published, String source, double least) {
        return new Measure(
                name, source, (run, shape) -> published, "at least " + least, r -> least, true);
    }

    /** Returns a published number, and an aim that is a number. */
    static Measure atMost(String name, double published, String source, double most) {
        return new Measure(
                name, source, (run, shape) -> published, "at most " + most, r -> most, false);
    }

    /** Returns an aim that depends on a reference. */
    static Measure atMost(String name, String reference, Reference value, String aim, Limit limit) {
        return new Measure(name, reference, value, aim, limit, false);
    }

    boolean isMet(double measured, double reference) {
        double bound = limit.of(reference);
        return atLeast ? measured >= bound : measured <= bound;
    }
}
