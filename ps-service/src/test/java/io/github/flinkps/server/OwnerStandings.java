package io.github.flinkps.server;

/** Looks at who takes part, and who is idle, at each owner of a server. */
public final class OwnerStandings extends AttemptCheck {
    /** Says how workers must stand. */
    public interface Rule {
        /**
         * Returns what is wrong, or null.
         *
         * @param worker that is not deferred, and has not finished
         * @param clock at which it stands, or is idle
         */
        String contradiction(int worker, boolean idle, long clock);
    }

    private Rule rule;

    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerStandings(ServerNode node) {
        super(node);
    }

    /** Says what is asked of the attempts that train now, and of no others. */
    public void begin(Rule ofNow) {
        rule = ofNow;
        begin();
    }

    /**
     * Returns whether a worker may stand at an owner beyond a clock from which it goes on, or will:
     * what it has said before is deferred, or has let it join there at a higher clock.
     */
    public boolean isAhead(int worker, long clock) {
        for (Owner owner : owners()) {
            for (OwnerModel model : owner.models()) {
                WorkerClocks clocks = model.attempt().effects().clocks();
                if (worker >= clocks.workers()
                        || isDeferred(model, worker)
                        || clocks.isIdle(worker)
                        || clocks.clock(worker) > clock) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    String wrongInAttempt(OwnerModel model) {
        WorkerClocks clocks = model.attempt().effects().clocks();
        long lowest = WorkerClocks.INFINITE;
        for (int worker = 0; worker < clocks.workers(); worker++) {
            if (!clocks.isIdle(worker)) {
                lowest = Math.min(lowest, clocks.clock(worker));
            }
            if (!isDeferred(model, worker) && !clocks.isFinished(worker)) {
                String wrong =
                        rule.contradiction(worker, clocks.isIdle(worker), clock(model, worker));
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return clocks.lowest() == lowest
                ? null
                : "all wait for clock "
                        + clocks.lowest()
                        + ", where those who do not rest are at "
                        + lowest;
    }
}
