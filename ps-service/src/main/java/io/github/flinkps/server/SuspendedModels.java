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
final class SuspendedModels {
    private final Set<String> suspended = new HashSet<>();

    void suspend(String model) {
        suspended.add(model);
    }

    void serve(String model) {
        suspended.remove(model);
    }

    boolean isSuspended(String model) {
        return suspended.contains(model);
    }

    /**
     * Lets a request pass that reads or changes rows.
     *
     * @throws PsException NOT_READY for a session of no attempt, while the model is suspended
     */
    void check(OwnerSession session) {
        if (!suspended.isEmpty() && !session.isOfAttempt() && isSuspended(session.modelName())) {
            throw new PsException(
                    ErrorCode.NOT_READY,
                    "model '"
                            + session.modelName()
                            + "' is being loaded or rolled back; try again");
        }
    }
}
