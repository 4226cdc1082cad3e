package io.github.flinkps.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Conditions that hold after every event of a simulated cluster, each with a name. */
final class Invariants {
    private final long seed;
    private final Map<String, Supplier<String>> all = new LinkedHashMap<>();
    private boolean broken;

    /** Creates an empty set for the cluster of a seed. */
    Invariants(long seed) {
        this.seed = seed;
    }

    /**
     * Adds a condition. Several may have the same name, for example one for each server.
     *
     * @param contradiction returns what contradicts the condition, or null where it holds
     */
    void add(String name, Supplier<String> contradiction) {
        all.merge(name, contradiction, Invariants::both);
    }

    private static Supplier<String> both(Supplier<String> one, Supplier<String> other) {
        return () -> {
            String first = one.get();
            return first == null ? other.get() : first;
        };
    }

    /**
     * Checks all conditions. After the first that is broken there is nothing left to find: the
     * cluster is only closed.
     *
     * @throws AssertionError that names the condition, the seed of the cluster and what contradicts
     */
    void check() {
        if (!broken) {
            all.forEach(this::check);
        }
    }

    private void check(String name, Supplier<String> contradiction) {
        require(name, contradiction.get());
    }

    /**
     * Says what contradicts a condition that is looked at now and then.
     *
     * @param why null where it holds
     * @throws AssertionError as {@link #check()} does
     */
    void require(String name, String why) {
        if (why != null) {
            broken = true;
            throw new AssertionError(
                    "invariant \"%s\" is broken in the cluster of seed %d: %s"
                            .formatted(name, seed, why));
        }
    }
}
