package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.HashSet;
import java.util.Set;

/**
 * The models whose rows are not those that their attempt goes on from: what was created is not
 * loaded yet, or a roll-back is under way. Sessions of the attempt may do what they like; all
 * others are told to try again. Confined to an owner thread.
 */
final class HeldModels {
    private final Set<String> held = new HashSet<>();

    void hold(String model) {
        held.add(model);
    }

    void serve(String model) {
        held.remove(model);
    }

    boolean isHeld(String model) {
        return held.contains(model);
    }

    /**
     * Lets a request pass that reads or changes rows.
     *
     * @throws PsException NOT_READY for a session of no attempt, while the model is held
     */
    void check(OwnerSession session) {
        if (!held.isEmpty() && !session.isOfAttempt() && isHeld(session.modelName())) {
            throw new PsException(
                    ErrorCode.NOT_READY,
                    "model '"
                            + session.modelName()
                            + "' is being loaded or rolled back; try again");
        }
    }
}
