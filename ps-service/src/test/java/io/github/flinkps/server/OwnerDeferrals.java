package io.github.flinkps.server;

/**
 * Looks at whom the cuts of an attempt hold. A pull is sent to its worker's next barrier if, and
 * only if, a worker it may wait for is deferred there, for the clock at which that worker stands.
 */
public final class OwnerDeferrals extends OwnerCheck {
    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerDeferrals(ServerNode node) {
        super(node);
    }

    @Override
    String wrong(OwnerModel model) {
        if (model.attempt().cuts().isClosed()) {
            return null; // nobody goes on who is deferred, and nobody joins
        }
        long[] clocks = model.attempt().effects().clocks().clocks().clone();
        for (int worker = 0; worker < clocks.length; worker++) {
            clocks[worker] = Math.min(clocks[worker], model.attempt().joining().clock(worker));
        }
        CutLedger cuts = model.attempt().cuts().ledger();
        for (int worker = 0; !cuts.isEmpty() && worker < clocks.length; worker++) {
            for (long pullClock : clocks) {
                long expected = oldestHeldBelow(pullClock, cuts, clocks, cuts.lastMarker(worker));
                long found = cuts.blocking(worker, clock -> clock < pullClock);
                if (found != expected) {
                    return "a pull of worker %d at clock %d is sent to barrier %d, not %d: %s"
                            .formatted(worker, pullClock, found, expected, cuts);
                }
            }
        }
        return null;
    }

    /** Returns the oldest cut after {@code cut} that holds a worker below a clock, 0 for none. */
    private static long oldestHeldBelow(long clock, CutLedger cuts, long[] clocks, long cut) {
        long oldest = Long.MAX_VALUE;
        for (int worker = 0; worker < clocks.length; worker++) {
            if (cuts.deferredBy(worker) > cut && clocks[worker] < clock) {
                oldest = Math.min(oldest, cuts.deferredBy(worker));
            }
        }
        return oldest == Long.MAX_VALUE ? 0 : oldest;
    }
}
