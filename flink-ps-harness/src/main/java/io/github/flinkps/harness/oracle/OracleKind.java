package io.github.flinkps.harness.oracle;

import io.github.flinkps.flink.options.Guarantee;
import java.util.List;
import java.util.Locale;

/** The kinds of runs: what jobs are asked for, and what their counts are held to. */
enum OracleKind {
    /** Every record counts once. */
    EXACTLY_ONCE(Guarantee.EXACTLY_ONCE),
    /** Every record counts, those since the last checkpoint maybe again. */
    AT_LEAST_ONCE(Guarantee.AT_LEAST_ONCE),
    /**
     * Jobs take no checkpoints and begin anew after a failure: all that was learned is lost, and
     * with it the records, unless the source begins anew too.
     */
    NO_CHECKPOINTS(null);

    private final Guarantee guarantee;

    OracleKind(Guarantee guarantee) {
        this.guarantee = guarantee;
    }

    /** Returns the name in options and reports. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the option of jobs that take checkpoints. */
    Guarantee guarantee() {
        return guarantee;
    }

    boolean checkpoints() {
        return this != NO_CHECKPOINTS;
    }

    /**
     * Returns what can happen to its jobs.
     *
     * @param machines whether they run on machines whose links can be cut
     */
    List<Strike> strikes(boolean machines) {
        return Strike.ALL.stream()
                .filter(strike -> checkpoints() || strike.needsNoCheckpoint())
                .filter(strike -> machines || !strike.fault().ofMachines())
                .toList();
    }

    /** Returns those of them that need such machines. */
    List<Strike> cuts() {
        return strikes(true).stream().filter(strike -> strike.fault().ofMachines()).toList();
    }

    /** Returns whether counts of a run may be too small. */
    boolean mayLose(OraclePlan plan) {
        return plan.readsOnce();
    }

    /** Returns whether counts may be too great. */
    boolean mayDouble() {
        return this == AT_LEAST_ONCE;
    }

    /** Returns whether some servers may have a mini-batch that others have not, or not as often. */
    boolean tears() {
        return this != EXACTLY_ONCE;
    }

    /** Returns whether what was found of a run is no failure. */
    boolean allows(OraclePlan plan, long lost, long doubled) {
        return (lost == 0 || mayLose(plan)) && (doubled == 0 || mayDouble());
    }
}
