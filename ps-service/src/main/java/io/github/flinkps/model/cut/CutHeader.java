package io.github.flinkps.model.cut;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.model.ModelHeader;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The description of a cut, known to whoever writes its manifest.
 *
 * @param model what is trained, slots saved; also what an exported model will say of itself
 * @param id of the cut
 * @param time of the day it was taken, in milliseconds
 * @param savepoint whether it was taken for a savepoint, which is its owner's to remove
 * @param consistency of the training
 * @param workers of the training
 * @param base the earlier cut that this one adds rows to; empty if it has all rows itself
 */
public record CutHeader(
        ModelHeader model,
        CutId id,
        Instant time,
        boolean savepoint,
        ConsistencySpec consistency,
        int workers,
        Optional<CutBase> base) {
    public CutHeader {
        time = time.truncatedTo(ChronoUnit.MILLIS);
        if (!model.slots()) {
            throw new IllegalArgumentException("a cut has the slots of its rows");
        }
        if (workers < 0) {
            throw new IllegalArgumentException(workers + " workers");
        }
        if (base.isPresent() && !isEarlier(base.get().cut(), id)) {
            throw new IllegalArgumentException(
                    id + " cannot add to " + base.get().cut() + ", which is no earlier one");
        }
    }

    /** Returns whether a base is earlier than its cut, so that no chain of bases forms a circle. */
    private static boolean isEarlier(CutId base, CutId id) {
        return base.run().equals(id.run())
                && base.number() < id.number()
                && base.fence() <= id.fence();
    }
}
