package io.github.flinkps.simulation;

import io.github.flinkps.model.cut.CutClock;

/**
 * How a worker of a simulated job stands.
 *
 * @param clock its finished mini-batches, also where it has finished
 * @param ahead whether it has rested in its attempt: who joins again does so at each owner at the
 *     lowest clock of the others there, and goes on from the lowest of these
 */
record Standing(CutClock.State state, long clock, boolean ahead) {
    /** Returns how a worker stands that begins at a clock. */
    static Standing begin(long clock) {
        return new Standing(CutClock.State.ACTIVE, clock, false);
    }

    boolean isFinished() {
        return state == CutClock.State.FINISHED;
    }

    boolean isIdle() {
        return state == CutClock.State.IDLE;
    }

    /** Returns whether a worker of this standing may begin at a clock, as servers say. */
    boolean beginsAt(long at) {
        return isFinished() ? at == Long.MAX_VALUE : at == clock || ahead && at > clock;
    }

    /** Returns whether a part of a cut may say that of the worker. */
    boolean allows(CutClock there) {
        return there.state() == state
                && (isFinished() || there.clock() == clock || ahead && there.clock() > clock);
    }
}
