package io.github.flinkps.common;

import java.io.Serializable;

/**
 * The rule for how far workers may run apart.
 *
 * @param kind BSP, SSP, ASP or a user's predicate
 * @param staleness for SSP: a pull at clock c sees every push of clocks below {@code c -
 *     staleness}; else 0
 * @param predicate for PREDICATE: the name of a {@code ReadPredicate} on the servers' class path;
 *     else empty
 */
public record ConsistencySpec(Kind kind, int staleness, String predicate) implements Serializable {
    /** The kinds; ids are permanent. */
    public enum Kind {
        BSP(0),
        SSP(1),
        ASP(2),
        PREDICATE(3);

        private final int id;

        Kind(int id) {
            this.id = id;
        }

        public int id() {
            return id;
        }

        public static Kind ofId(int id) {
            for (Kind kind : values()) {
                if (kind.id == id) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown consistency " + id);
        }
    }

    public ConsistencySpec {
        if (staleness < 0) {
            throw new IllegalArgumentException("staleness must be at least 0, not " + staleness);
        }
        if (kind != Kind.SSP && staleness != 0) {
            throw new IllegalArgumentException("staleness is for consistency ssp only");
        }
        if ((kind == Kind.PREDICATE) == predicate.isEmpty()) {
            throw new IllegalArgumentException(
                    "a predicate's name is for consistency predicate only, and needed there");
        }
    }

    public static ConsistencySpec bsp() {
        return new ConsistencySpec(Kind.BSP, 0, "");
    }

    public static ConsistencySpec ssp(int staleness) {
        return new ConsistencySpec(Kind.SSP, staleness, "");
    }

    public static ConsistencySpec asp() {
        return new ConsistencySpec(Kind.ASP, 0, "");
    }

    public static ConsistencySpec predicate(String name) {
        return new ConsistencySpec(Kind.PREDICATE, 0, name);
    }

    /** Returns how many mini-batches a worker may prefetch: 0 for BSP and predicates. */
    public int prefetchLimit() {
        return switch (kind) {
            case BSP, PREDICATE -> 0;
            case SSP -> staleness;
            case ASP -> Integer.MAX_VALUE;
        };
    }
}
