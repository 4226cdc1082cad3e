package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.common.aggregate.TopK;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds aggregates by name: {@code count} (rows), {@code sum} (of all values), {@code norm} (L2, of
 * all values), {@code dot} (with another table of the same keys, partitions and width, whose name
 * is the argument; over the rows of the first), {@code top-k}, and those on the class path.
 * Thread-safe.
 */
public final class AggregateFunctions {
    private static final int BLOCK_FLOATS = 1 << 14;
    private static final Map<String, AggregateFunction> BUILT_IN = builtIn();

    private record BuiltIn(String name, Scan scan) implements AggregateFunction {
        @Override
        public PartialAggregate scan(
                TableRows rows, List<String> arguments, Function<String, TableRows> others) {
            return scan.scan(rows, arguments, others);
        }
    }

    private interface Scan {
        PartialAggregate scan(
                TableRows rows, List<String> arguments, Function<String, TableRows> others);
    }

    /** Takes a block of rows. */
    interface Block {
        void take(long[] keys, float[] values, int rows);
    }

    private AggregateFunctions() {}

    private static Map<String, AggregateFunction> builtIn() {
        Map<String, AggregateFunction> all = new TreeMap<>();
        all.put("count", new BuiltIn("count", AggregateFunctions::count));
        all.put("sum", new BuiltIn("sum", AggregateFunctions::sum));
        all.put("norm", new BuiltIn("norm", AggregateFunctions::squares));
        all.put("dot", new BuiltIn("dot", AggregateFunctions::dot));
        all.put(TopK.NAME, new BuiltIn(TopK.NAME, TopRows::scan));
        return all;
    }

    /**
     * Returns the aggregate of a name.
     *
     * @throws IllegalArgumentException for an unknown name, listing those known, or a name given
     *     twice
     */
    public static AggregateFunction find(String name) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context != null ? context : AggregateFunctions.class.getClassLoader();
        Map<String, AggregateFunction> all = new TreeMap<>(BUILT_IN);
        for (AggregateFunction function : ServiceLoader.load(AggregateFunction.class, loader)) {
            if (all.putIfAbsent(function.name(), function) != null) {
                throw new IllegalArgumentException(
                        "two aggregates have the name '" + function.name() + "'");
            }
        }
        AggregateFunction function = all.get(name);
        if (function == null) {
            throw new IllegalArgumentException(
                    "unknown aggregate '" + name + "'; known: " + String.join(", ", all.keySet()));
        }
        return function;
    }

    private static PartialAggregate count(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        takesNone("count", arguments);
        return PartialAggregate.of((double) rows.rows());
    }

    private static PartialAggregate sum(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        takesNone("sum", arguments);
        double[] sum = new double[1];
        int width = rows.spec().width();
        scanBlocks(
                rows,
                (keys, values, count) -> {
                    for (int i = 0; i < count * width; i++) {
                        sum[0] += values[i];
                    }
                });
        return PartialAggregate.of(sum);
    }

    private static PartialAggregate squares(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        takesNone("norm", arguments);
        double[] sum = new double[1];
        int width = rows.spec().width();
        scanBlocks(
                rows,
                (keys, values, count) -> {
                    for (int i = 0; i < count * width; i++) {
                        sum[0] += (double) values[i] * values[i];
                    }
                });
        return PartialAggregate.of(sum);
    }

    private static PartialAggregate dot(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        if (arguments.size() != 1) {
            throw new IllegalArgumentException(
                    "dot takes the name of another table, not " + arguments);
        }
        TableRows other = others.apply(arguments.get(0));
        boolean alike =
                rows.spec().width() == other.spec().width()
                        && rows.spec().size() == other.spec().size()
                        && rows.spec().keyBits() == other.spec().keyBits()
                        && rows.spec().partitions() == other.spec().partitions();
        if (!alike) {
            throw new IllegalArgumentException(
                    "dot: the tables '"
                            + rows.spec().name()
                            + "' and '"
                            + other.spec().name()
                            + "' differ in width, keys or partitions");
        }
        double[] sum = new double[1];
        int width = rows.spec().width();
        float[] beside = new float[blockRows(width) * width];
        scanBlocks(
                rows,
                (keys, values, count) -> {
                    other.lookUp(keys, count, beside);
                    for (int i = 0; i < count * width; i++) {
                        sum[0] += (double) values[i] * beside[i];
                    }
                });
        return PartialAggregate.of(sum);
    }

    private static void takesNone(String name, List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException(name + " takes no argument, not " + arguments);
        }
    }

    private static int blockRows(int width) {
        return Math.max(1, BLOCK_FLOATS / width);
    }

    static void scanBlocks(TableRows rows, Block block) {
        int width = rows.spec().width();
        int most = blockRows(width);
        long[] keys = new long[most];
        float[] values = new float[most * width];
        long cursor = 0;
        for (int count = rows.read(0, most, keys, values);
                count > 0;
                count = rows.read(cursor, most, keys, values)) {
            block.take(keys, values, count);
            cursor += count;
        }
    }
}
