package io.github.flinkps.model.cut;

/**
 * The progress of a worker in a cut.
 *
 * @param state whether it trains
 * @param clock mini-batches it had finished; for an idle one before it fell idle, for a finished
 *     one 0
 */
public record CutClock(State state, long clock) {
    /** The state of a worker's training. */
    public enum State {
        ACTIVE,
        /** The worker has no rows for the time being, and is left out of the lowest clock. */
        IDLE,
        FINISHED
    }

    public CutClock {
        if (clock < 0 || state == State.FINISHED && clock != 0) {
            throw new IllegalArgumentException("clock " + clock + " of a worker " + state);
        }
    }

    public static CutClock active(long clock) {
        return new CutClock(State.ACTIVE, clock);
    }

    public static CutClock idle(long clock) {
        return new CutClock(State.IDLE, clock);
    }

    public static CutClock finished() {
        return new CutClock(State.FINISHED, 0);
    }
}
