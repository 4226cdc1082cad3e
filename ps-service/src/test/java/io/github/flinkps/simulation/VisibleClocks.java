package io.github.flinkps.simulation;

import io.github.flinkps.common.ConsistencySpec;

/**
 * A table in which each mini-batch of each worker has an element of its own, to which it adds 1: a
 * pull of it shows whose clocks are visible.
 *
 * @param batches of each worker, at most
 */
record VisibleClocks(ConsistencySpec consistency, int workers, int batches) {
    int elements() {
        return workers * batches;
    }

    /** The element of a worker's mini-batch. */
    int element(int worker, long clock) {
        return worker * batches + (int) clock;
    }

    /**
     * Checks a pull of a worker at a clock: it must see what is before the bound, under BSP nothing
     * else, and nothing twice.
     */
    void check(float[] seen, int reader, long clock) {
        for (int w = 0; w < workers; w++) {
            for (int c = 0; c < batches; c++) {
                float times = seen[element(w, c)];
                boolean must =
                        switch (consistency.kind()) {
                            case BSP -> c < clock;
                            case SSP -> c < clock - consistency.staleness();
                            default -> false;
                        };
                boolean may = must || consistency.kind() != ConsistencySpec.Kind.BSP;
                if (!(times == 1 && may || times == 0 && !must)) {
                    throw new AssertionError(
                            "worker "
                                    + reader
                                    + " at clock "
                                    + clock
                                    + " under "
                                    + consistency
                                    + " sees mini-batch "
                                    + c
                                    + " of worker "
                                    + w
                                    + ": "
                                    + times);
                }
            }
        }
    }
}
