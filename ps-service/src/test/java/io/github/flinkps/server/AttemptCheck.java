package io.github.flinkps.server;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Looks at the attempts that train when it begins, and at no others. */
abstract class AttemptCheck extends OwnerCheck {
    private final Set<OwnerAttempt> attempts = Collections.newSetFromMap(new IdentityHashMap<>());

    AttemptCheck(ServerNode node) {
        super(node);
    }

    /** Looks at the attempts that train now. */
    final void begin() {
        attempts.clear();
        for (Owner owner : owners()) {
            owner.models().forEach(model -> attempts.add(model.attempt()));
        }
    }

    /** Returns what is wrong with the attempt of a model at an owner, or null. */
    abstract String wrongInAttempt(OwnerModel model);

    @Override
    final String wrong(OwnerModel model) {
        return attempts.contains(model.attempt()) ? wrongInAttempt(model) : null;
    }

    /** Returns whether what a worker has sent is deferred at an owner. */
    static boolean isDeferred(OwnerModel model, int worker) {
        return model.attempt().cuts().isDeferred(worker);
    }

    /** Returns the clock of a worker at an owner, or that at which it is idle there. */
    static long clock(OwnerModel model, int worker) {
        WorkerClocks clocks = model.attempt().effects().clocks();
        return clocks.isIdle(worker) ? clocks.idleAt()[worker] : clocks.clock(worker);
    }
}
