package io.github.flinkps.server;

import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Looks at what each attempt at the owners of a server has counted: neither a worker's clock nor
 * the optimizers' steps go back, and under BSP a step is a round that is over.
 */
public final class OwnerProgress extends OwnerCheck {
    private final Map<OwnerAttempt, Counted> before = new WeakHashMap<>();

    private record Counted(long[] clocks, long steps) {
        boolean isBehind(Counted now) {
            for (int worker = 0; worker < clocks.length; worker++) {
                if (now.clocks[worker] < clocks[worker]) {
                    return false;
                }
            }
            return now.steps >= steps;
        }

        @Override
        public String toString() {
            return "clocks " + Arrays.toString(clocks) + ", steps " + steps;
        }
    }

    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerProgress(ServerNode node) {
        super(node);
    }

    /** Returns the clock of each worker, or that at which it went idle. */
    private static long[] clocks(WorkerClocks clocks) {
        long[] all = clocks.clocks().clone();
        for (int worker = 0; worker < all.length; worker++) {
            if (clocks.isIdle(worker)) {
                all[worker] = clocks.idleAt()[worker];
            }
        }
        return all;
    }

    @Override
    String wrong(OwnerModel model) {
        ModelEffects effects = model.attempt().effects();
        Counted now = new Counted(clocks(effects.clocks()), effects.steps().count());
        Counted last = before.put(model.attempt(), now);
        long lowest = effects.clocks().lowest();
        boolean counts = !effects.isBsp() || lowest == WorkerClocks.INFINITE;
        return last != null && !last.isBehind(now) || !counts && now.steps != lowest
                ? now + ", before " + last
                : null;
    }
}
