package io.github.flinkps.harness.oracle;

import java.util.ArrayList;
import java.util.List;

/**
 * A fault in a phase.
 *
 * @param phase when it happens
 * @param fault what happens
 */
record Strike(Phase phase, Fault fault) {
    /** All that can happen. */
    static final List<Strike> ALL = all();

    private static List<Strike> all() {
        List<Strike> all = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            for (Fault fault : Fault.values()) {
                if (fault.canHappen(phase)) {
                    all.add(new Strike(phase, fault));
                }
            }
        }
        return List.copyOf(all);
    }

    /** Returns whether it can come also when all rows have been read, and are trained again. */
    boolean canBeLate() {
        return phase == Phase.TRAINING
                // A worker that waits for its servers meets only rows that are read.
                || phase == Phase.RESTORING && fault != Fault.WORKER_EXCEPTION;
    }

    /** Returns whether it can come to a job without checkpoints, which begins anew by it. */
    boolean needsNoCheckpoint() {
        return (phase == Phase.TRAINING || phase == Phase.FINISHING)
                && !fault.stops()
                && !fault.failsCheckpoint();
    }

    /** Returns the name in reports. */
    String text() {
        return phase.text() + "/" + fault.text();
    }
}
