package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.common.aggregate.TopK;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds aggregates by name: {@code count} (rows), {@code sum} and {@code norm} (L2) of all values,
 * {@code dot}, {@code top-k}, and those on the class path. {@code dot} is over the rows of the
 * table and those of another one of the same keys, partitions and width, whose name is the
 * argument. Confined to one thread, whose context class loader finds the others.
 */
public final class AggregateFunctions {
    private static final Map<String, AggregateFunction> BUILT_IN = builtIn();

    /** All, once one has been asked for that is not built in; looked for once. */
    private Map<String, AggregateFunction> found;

    /** The reason why the class path has none to offer; null if it has not been found wrong. */
    private Throwable wrong;

    private record BuiltIn(String name, boolean readsRows, Beginning beginning)
            implements AggregateFunction {
        @Override
        public Accumulator begin(
                TableRows rows, List<String> arguments, Function<String, TableRows> others) {
            return beginning.begin(rows, arguments, others);
        }
    }

    private interface Beginning {
        AggregateFunction.Accumulator begin(
                TableRows rows, List<String> arguments, Function<String, TableRows> others);
    }

    /** The sum of what is found for each block. */
    private record Sum(double[] sum, BlockSum of) implements AggregateFunction.Accumulator {
        @Override
        public void add(long[] keys, float[] values, int count) {
            sum[0] += of.sum(keys, values, count);
        }

        @Override
        public PartialAggregate result() {
            return PartialAggregate.of(sum);
        }
    }

    private interface BlockSum {
        double sum(long[] keys, float[] values, int count);
    }

    private static Map<String, AggregateFunction> builtIn() {
        Map<String, AggregateFunction> all = new TreeMap<>();
        all.put("count", new BuiltIn("count", false, AggregateFunctions::count));
        all.put("sum", new BuiltIn("sum", true, AggregateFunctions::sum));
        all.put("norm", new BuiltIn("norm", true, AggregateFunctions::squares));
        all.put("dot", new BuiltIn("dot", true, AggregateFunctions::dot));
        all.put(TopK.NAME, new BuiltIn(TopK.NAME, true, TopRows::begin));
        return all;
    }

    /**
     * Returns the aggregate of a name.
     *
     * @throws IllegalArgumentException for an unknown name, listing those known, or if one of the
     *     class path cannot be loaded or has a name that is given already
     */
    public AggregateFunction find(String name) {
        if (found == null) {
            if (BUILT_IN.containsKey(name)) {
                return BUILT_IN.get(name);
            }
            search();
        }
        AggregateFunction function = found.get(name);
        if (function == null) {
            throw new IllegalArgumentException(
                    "unknown aggregate '"
                            + name
                            + "'; known: "
                            + String.join(", ", found.keySet()));
        }
        return function;
    }

    /** Searches the class path once, also if it is wrong: whoever asks again costs no time. */
    private void search() {
        if (wrong == null) {
            try {
                found = onClassPath();
                return;
            } catch (IllegalArgumentException | ServiceConfigurationError e) {
                wrong = e;
            }
        }
        throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }

    private static Map<String, AggregateFunction> onClassPath() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context != null ? context : AggregateFunctions.class.getClassLoader();
        Map<String, AggregateFunction> all = new TreeMap<>(BUILT_IN);
        for (AggregateFunction function : ServiceLoader.load(AggregateFunction.class, loader)) {
            if (all.putIfAbsent(function.name(), function) != null) {
                throw new IllegalArgumentException(
                        "two aggregates have the name '" + function.name() + "'");
            }
        }
        return all;
    }

    private static AggregateFunction.Accumulator count(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        takesNone("count", arguments);
        return new Sum(new double[] {rows.rows()}, (keys, values, count) -> 0);
    }

    private static AggregateFunction.Accumulator sum(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        takesNone("sum", arguments);
        int width = rows.spec().width();
        return sumOf(
                (keys, values, count) -> {
                    double sum = 0;
                    for (int i = 0; i < count * width; i++) {
                        sum += values[i];
                    }
                    return sum;
                });
    }

    private static AggregateFunction.Accumulator squares(
            TableRows rows, List<String> arguments, Function<String, TableRows> others) {
        takesNone("norm", arguments);
        int width = rows.spec().width();
        return sumOf((keys, values, count) -> products(values, values, count * width));
    }

    private static AggregateFunction.Accumulator dot(
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
        int width = rows.spec().width();
        return sumOf(
                (keys, values, count) -> {
                    float[] beside = new float[count * width];
                    other.lookUp(keys, count, beside);
                    return products(values, beside, beside.length);
                });
    }

    private static Sum sumOf(BlockSum of) {
        return new Sum(new double[1], of);
    }

    private static double products(float[] left, float[] right, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += (double) left[i] * right[i];
        }
        return sum;
    }

    private static void takesNone(String name, List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException(name + " takes no argument, not " + arguments);
        }
    }
}
