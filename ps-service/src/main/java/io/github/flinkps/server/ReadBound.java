package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.ServiceLoader;

/** Decides when a worker's pull may be answered, given the clocks at a partition. Immutable. */
final class ReadBound {
    private final ConsistencySpec spec;
    private final ReadPredicate predicate;

    private ReadBound(ConsistencySpec spec, ReadPredicate predicate) {
        this.spec = spec;
        this.predicate = predicate;
    }

    static ReadBound of(ConsistencySpec spec) {
        if (spec.kind() != ConsistencySpec.Kind.PREDICATE) {
            return new ReadBound(spec, null);
        }
        for (ReadPredicate candidate : ServiceLoader.load(ReadPredicate.class)) {
            if (candidate.name().equals(spec.predicate())) {
                return new ReadBound(spec, candidate);
            }
        }
        throw new PsException(
                ErrorCode.INVALID_ARGUMENT,
                "consistency predicate '"
                        + spec.predicate()
                        + "' is not on the server's class path");
    }

    boolean rounds() {
        return spec.kind() == ConsistencySpec.Kind.BSP;
    }

    /** Returns whether it looks at more than the lowest of the clocks. */
    boolean readsAllClocks() {
        return spec.kind() == ConsistencySpec.Kind.PREDICATE;
    }

    /** Returns whether a pull may have to wait for a worker at this clock. */
    boolean waitsFor(long clock, long pullClock) {
        return switch (spec.kind()) {
            case ASP -> false;
            case BSP -> clock < pullClock;
            case SSP -> clock < pullClock - spec.staleness();
            case PREDICATE -> true;
        };
    }

    /** Returns whether the pull may be answered. */
    boolean ready(WorkerClocks clocks, int worker, long pullClock) {
        long lowest = clocks.lowest();
        return switch (spec.kind()) {
            case ASP -> true;
            case BSP -> lowest >= pullClock;
            case SSP -> lowest >= pullClock - spec.staleness();
            case PREDICATE -> predicate.ready(clocks.clocks(), worker, pullClock);
        };
    }
}
