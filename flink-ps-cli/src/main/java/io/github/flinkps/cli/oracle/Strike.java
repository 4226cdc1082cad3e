package io.github.flinkps.cli.oracle;

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

    /** As in reports. */
    String text() {
        return phase.text() + "/" + fault.text();
    }
}
