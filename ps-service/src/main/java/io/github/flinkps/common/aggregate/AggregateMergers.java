package io.github.flinkps.common.aggregate;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Finds mergers by name: of the built-in aggregates {@code count, sum, norm, dot, top-k} and those
 * on the class path.
 */
public final class AggregateMergers {
    private static final Map<String, AggregateMerger> BUILT_IN = builtIn();

    /** Adds the values; for {@code norm} the result is the root of the sum of squares. */
    private record Adding(String name, boolean root) implements AggregateMerger {
        @Override
        public PartialAggregate merge(
                PartialAggregate left, PartialAggregate right, List<String> arguments) {
            return PartialAggregate.of(left.values()[0] + right.values()[0]);
        }

        @Override
        public PartialAggregate finish(PartialAggregate merged, List<String> arguments) {
            return root ? PartialAggregate.of(Math.sqrt(merged.values()[0])) : merged;
        }
    }

    private AggregateMergers() {}

    private static Map<String, AggregateMerger> builtIn() {
        Map<String, AggregateMerger> all = new TreeMap<>();
        for (AggregateMerger merger :
                List.of(
                        new Adding("count", false),
                        new Adding("sum", false),
                        new Adding("norm", true),
                        new Adding("dot", false),
                        new TopK())) {
            all.put(merger.name(), merger);
        }
        return all;
    }

    /**
     * Returns the merger of an aggregate.
     *
     * @throws IllegalArgumentException for an unknown name, listing those known, or a name given
     *     twice
     */
    public static AggregateMerger find(String name) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context != null ? context : AggregateMergers.class.getClassLoader();
        Map<String, AggregateMerger> all = new TreeMap<>(BUILT_IN);
        for (AggregateMerger merger : ServiceLoader.load(AggregateMerger.class, loader)) {
            if (all.putIfAbsent(merger.name(), merger) != null) {
                throw new IllegalArgumentException(
                        "two aggregates have the name '" + merger.name() + "'");
            }
        }
        AggregateMerger merger = all.get(name);
        if (merger == null) {
            throw new IllegalArgumentException(
                    "unknown aggregate '" + name + "'; known: " + String.join(", ", all.keySet()));
        }
        return merger;
    }

    /**
     * Merges the partial results of all partitions, in their order, into the result.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static PartialAggregate mergeAll(
            AggregateMerger merger, List<PartialAggregate> partials, List<String> arguments) {
        if (partials.isEmpty()) {
            throw new IllegalArgumentException(
                    "no partial results of aggregate '" + merger.name() + "'");
        }
        PartialAggregate merged = partials.get(0);
        for (PartialAggregate partial : partials.subList(1, partials.size())) {
            merged = merger.merge(merged, partial, arguments);
        }
        return merger.finish(merged, arguments);
    }
}
