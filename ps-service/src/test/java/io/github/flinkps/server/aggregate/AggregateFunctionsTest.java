package io.github.flinkps.server.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.common.aggregate.AggregateMerger;
import io.github.flinkps.common.aggregate.AggregateMergers;
import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.testing.TestingServices;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AggregateFunctionsTest {
    @TempDir private Path folder;

    /** A user's aggregate, both ends in one class: the largest value. */
    public static final class Largest implements AggregateFunction, AggregateMerger {
        @Override
        public String name() {
            return "largest";
        }

        @Override
        public Accumulator begin(
                TableRows rows, List<String> arguments, Function<String, TableRows> others) {
            int width = rows.spec().width();
            return new Accumulator() {
                private double largest = Double.NEGATIVE_INFINITY;

                @Override
                public void add(long[] keys, float[] values, int count) {
                    for (int i = 0; i < count * width; i++) {
                        largest = Math.max(largest, values[i]);
                    }
                }

                @Override
                public PartialAggregate result() {
                    return PartialAggregate.of(largest);
                }
            };
        }

        @Override
        public PartialAggregate merge(
                PartialAggregate left, PartialAggregate right, List<String> arguments) {
            return PartialAggregate.of(Math.max(left.values()[0], right.values()[0]));
        }
    }

    /** An aggregate that has the name of another one. */
    public static final class Again implements AggregateFunction {
        private static final AtomicInteger MADE = new AtomicInteger();

        public Again() {
            MADE.incrementAndGet();
        }

        @Override
        public String name() {
            return "sum";
        }

        @Override
        public Accumulator begin(
                TableRows rows, List<String> arguments, Function<String, TableRows> others) {
            throw new AssertionError("nobody finds it");
        }
    }

    /** A table's partitions and what they should hold. */
    private static final class Table {
        final List<Partition> partitions = new ArrayList<>();
        final Map<Long, float[]> rows = new HashMap<>();
    }

    private static Table table(TableSpec spec, long seed, int count) {
        Table table = new Table();
        SplittableRandom random = new SplittableRandom(seed);
        KeyHash hash = KeyHash.of(spec.keyBits());
        for (int p = 0; p < spec.partitions(); p++) {
            table.partitions.add(Partition.create(spec, p, UpdateFunctions.create(spec.update())));
        }
        for (int i = 0; i < count; i++) {
            long key = spec.isSparse() ? random.nextLong(2L * count) : i;
            float[] row = new float[spec.width()];
            for (int c = 0; c < row.length; c++) {
                row[c] = random.nextInt(-1000, 1000) / 8f;
            }
            int partition =
                    spec.isSparse()
                            ? spec.partitionOfHash(hash.hash(key))
                            : (int) (key / spec.rowsPerPartition());
            table.partitions.get(partition).load(new long[] {key}, row, null, 1);
            table.rows.put(key, row);
        }
        return table;
    }

    private static PartialAggregate ask(
            String name, Table table, Table other, String... arguments) {
        List<String> list = List.of(arguments);
        AggregateFunction function = new AggregateFunctions().find(name);
        List<PartialAggregate> partials = new ArrayList<>();
        for (int p = 0; p < table.partitions.size(); p++) {
            partials.add(scan(function, table.partitions.get(p), list, other.partitions.get(p)));
        }
        AggregateMerger merger = AggregateMergers.find(name);
        PartialAggregate all = AggregateMergers.mergeAll(merger, partials, list);
        int cut = partials.size() / 2;
        PartialAggregate left = partials.get(0);
        for (PartialAggregate partial : partials.subList(1, cut)) {
            left = merger.merge(left, partial, list);
        }
        PartialAggregate right = partials.get(cut);
        for (PartialAggregate partial : partials.subList(cut + 1, partials.size())) {
            right = merger.merge(right, partial, list);
        }
        PartialAggregate grouped = merger.finish(merger.merge(left, right, list), list);
        assertThat(grouped.keys()).isEqualTo(all.keys());
        assertThat(grouped.values()).containsExactly(all.values(), within(1e-6));
        return all;
    }

    private static PartialAggregate scan(
            AggregateFunction function, Partition rows, List<String> arguments, Partition other) {
        AggregateFunction.Accumulator accumulator =
                function.begin(
                        new PartitionRows(rows), arguments, unused -> new PartitionRows(other));
        int block = 100;
        long[] keys = new long[block];
        float[] values = new float[block * rows.spec().width()];
        for (long at = 0; function.readsRows() && at < rows.rows(); at += block) {
            accumulator.add(keys, values, rows.export(at, block, keys, values, null));
        }
        return accumulator.result();
    }

    private static List<TableSpec> specs(int width) {
        return List.of(
                TableSpec.sparse("s", width, UpdateSpec.of("add")).withPartitions(4),
                TableSpec.sparse("k", width, UpdateSpec.of("add"))
                        .withKeyBits(16)
                        .withPartitions(8),
                TableSpec.dense("d", 3000, width, UpdateSpec.of("add")).withPartitions(7));
    }

    @Test
    void countSumAndNormAreThoseOfAllRows() {
        for (TableSpec spec : specs(3)) {
            Table table = table(spec, 5, 3000);
            double sum = 0;
            double squares = 0;
            for (float[] row : table.rows.values()) {
                for (float value : row) {
                    sum += value;
                    squares += (double) value * value;
                }
            }
            assertThat(ask("count", table, table).values()).containsExactly(table.rows.size());
            assertThat(ask("sum", table, table).values())
                    .containsExactly(new double[] {sum}, within(1e-6));
            assertThat(ask("norm", table, table).values())
                    .containsExactly(new double[] {Math.sqrt(squares)}, within(1e-6));
        }
    }

    @Test
    void dotGoesOverTheRowsOfTheFirstTable() {
        for (TableSpec spec : specs(2)) {
            TableSpec constant = spec.withInitializer(InitializerSpec.constant(.5f), 0);
            Table table = table(constant, 5, 3000);
            Table other = table(constant, 6, 2500);
            double sum = 0;
            for (Map.Entry<Long, float[]> entry : table.rows.entrySet()) {
                float[] beside = other.rows.getOrDefault(entry.getKey(), new float[] {.5f, .5f});
                for (int c = 0; c < 2; c++) {
                    sum += (double) entry.getValue()[c] * beside[c];
                }
            }
            assertThat(ask("dot", table, other, "other").values())
                    .containsExactly(new double[] {sum}, within(1e-6));
        }
        Table narrow = table(specs(1).get(0), 1, 10);
        Table wide = table(specs(2).get(0), 1, 10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ask("dot", narrow, wide, "other"))
                .withMessageContaining("width");
        assertThatIllegalArgumentException().isThrownBy(() -> ask("dot", narrow, narrow));
    }

    @Test
    void topKAreTheRowsFurthestFromZeroTiesByKey() {
        for (TableSpec spec : specs(2)) {
            Table table = table(spec, 7, 3000);
            for (int k : new int[] {1, 10, 100, 10_000}) {
                long[] keys =
                        table.rows.entrySet().stream()
                                .sorted(
                                        (a, b) -> {
                                            int bySize =
                                                    Float.compare(
                                                            Math.abs(b.getValue()[1]),
                                                            Math.abs(a.getValue()[1]));
                                            return bySize != 0
                                                    ? bySize
                                                    : Long.compare(a.getKey(), b.getKey());
                                        })
                                .limit(k)
                                .mapToLong(Map.Entry::getKey)
                                .toArray();
                PartialAggregate top = ask("top-k", table, table, Integer.toString(k), "1");
                assertThat(top.keys()).isEqualTo(keys);
                assertThat(top.values())
                        .isEqualTo(
                                Arrays.stream(keys)
                                        .mapToDouble(key -> table.rows.get(key)[1])
                                        .toArray());
            }
        }
    }

    @Test
    void wrongArgumentsAndNamesAreRefused() {
        Table table = table(specs(1).get(0), 1, 10);
        for (String[] arguments :
                new String[][] {{}, {"0"}, {"x"}, {"1", "1"}, {"1", "0", "0"}, {"1000001"}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ask("top-k", table, table, arguments))
                    .withMessageContaining("top-k");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> ask("sum", table, table, "x"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AggregateFunctions().find("median"))
                .withMessageContaining("count, dot, norm, sum, top-k");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AggregateMergers.find("median"))
                .withMessageContaining("count, dot, norm, sum, top-k");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                AggregateMergers.mergeAll(
                                        AggregateMergers.find("sum"), List.of(), List.of()));
    }

    @Test
    void aClassPathThatIsWrongIsSearchedOnce() throws Exception {
        AggregateFunctions functions = new AggregateFunctions();
        TestingServices.with(
                folder,
                AggregateFunction.class,
                Again.class,
                () -> {
                    for (int i = 0; i < 3; i++) {
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> functions.find("median"))
                                .withMessageContaining("two aggregates have the name 'sum'");
                    }
                    return null;
                });
        assertThat(Again.MADE).hasValue(1);
    }

    @Test
    void aUsersAggregateIsFoundOnTheClassPath() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        for (Class<?> service : List.of(AggregateFunction.class, AggregateMerger.class)) {
            Files.writeString(services.resolve(service.getName()), Largest.class.getName());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            Table table = table(specs(2).get(0), 8, 500);
            double largest =
                    table.rows.values().stream()
                            .mapToDouble(row -> Math.max(row[0], row[1]))
                            .max()
                            .orElseThrow();
            assertThat(ask("largest", table, table).values()).containsExactly(largest);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
