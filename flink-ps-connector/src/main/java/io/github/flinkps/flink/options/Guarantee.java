package io.github.flinkps.flink.options;

import java.util.Locale;

/**
 * The guarantees of how often a record counts in the model of a job with checkpoints, after
 * failures.
 */
public enum Guarantee {
    /**
     * Every record counts once: the model goes back to the cut of the checkpoint from which the job
     * goes on.
     */
    EXACTLY_ONCE,

    /**
     * Every record counts at least once: servers that outlive the attempt keep the model as it is,
     * so that records since the checkpoint count again, and nothing that was learned is given up.
     */
    AT_LEAST_ONCE;

    /** Returns the name in options. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
