package io.github.flinkps.simulation;

import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * The values that {@link TrainedTables} hold when each round is one step: computed a row at a time
 * by the optimizers alone, without partitions, logs, cuts and restores.
 */
final class PlainModel {
    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final StepContext context = new StepContext();

    /** Creates a model that no round has trained. */
    PlainModel() {
        TrainedTables.ALL.forEach(spec -> tables.put(spec.name(), new Table(spec)));
    }

    /** Takes the step of a round: the mini-batches of workers, in the order of workers. */
    void step(Collection<History.Batch> round) {
        double weight = round.stream().mapToDouble(History.Batch::weight).sum();
        tables.forEach(
                (name, table) -> {
                    Map<Long, float[]> sums = new LinkedHashMap<>();
                    for (History.Batch batch : round) {
                        for (History.Push push : batch.pushes()) {
                            if (push.table().equals(name)) {
                                add(sums, push, table.spec.width());
                            }
                        }
                    }
                    table.step(sums, weight);
                });
    }

    private static void add(Map<Long, float[]> sums, History.Push push, int width) {
        for (int row = 0; row < push.keys().length; row++) {
            float[] added = Arrays.copyOfRange(push.gradients(), row * width, (row + 1) * width);
            sums.merge(
                    push.keys()[row],
                    added,
                    (sum, more) -> {
                        for (int i = 0; i < width; i++) {
                            sum[i] += more[i];
                        }
                        return sum;
                    });
        }
    }

    /** Returns the values of all rows, up to date with the last step. */
    Map<String, String> rows() {
        Map<String, String> rows = new TreeMap<>();
        tables.forEach((name, table) -> rows.putAll(rows(table.spec, table::read)));
        return rows;
    }

    /** Returns the values of a row that nothing has trained. */
    static float[] initial(TableSpec table, long key) {
        float[] values = new float[table.width()];
        RowInitializer.of(table).fill(key, values, 0, values.length);
        return values;
    }

    /** Returns the rows of a table as texts, which differ where bits do. */
    static Map<String, String> rows(TableSpec table, LongFunction<float[]> values) {
        Map<String, String> rows = new TreeMap<>();
        for (int key = 0; key < TrainedTables.keys(table); key++) {
            rows.put("row " + key + " of " + table.name(), Arrays.toString(values.apply(key)));
        }
        return rows;
    }

    private record Row(float[] values, float[][] slots, long step) {}

    private final class Table {
        private final TableSpec spec;
        private final UpdateFunction function;
        private final Map<Long, Row> rows = new TreeMap<>();
        private long steps;

        Table(TableSpec spec) {
            this.spec = spec;
            this.function = UpdateFunctions.create(spec.update());
            for (long key = 0; key < spec.size(); key++) { // none where sparse
                rows.put(key, born(key));
            }
            if (spec.equals(TrainedTables.ADAM)) {
                steps = TrainedTables.STEPS_BEFORE;
                rows.forEach((key, row) -> fill(row, TrainedTables.initialPlanes(key)));
            }
        }

        private Row born(long key) {
            float[][] slots = new float[function.slots()][spec.width()];
            for (int slot = 0; slot < slots.length; slot++) {
                Arrays.fill(slots[slot], function.initialSlot(slot));
            }
            return new Row(initial(spec, key), slots, steps);
        }

        private static void fill(Row row, float[] planes) {
            Arrays.fill(row.values(), planes[0]);
            for (int slot = 0; slot < row.slots().length; slot++) {
                Arrays.fill(row.slots()[slot], planes[slot + 1]);
            }
        }

        void step(Map<Long, float[]> sums, double weight) {
            sums.forEach(
                    (key, sum) -> {
                        Row row = rows.computeIfAbsent(key, this::born);
                        catchUp(row.values(), steps - row.step());
                        context.set(weight, steps + 1);
                        int width = spec.width();
                        function.apply(row.values(), row.slots(), sum, 0, width, context);
                        rows.put(key, new Row(row.values(), row.slots(), steps + 1));
                    });
            steps++;
        }

        private void catchUp(float[] values, long elapsed) {
            if (function.catchesUp() && elapsed > 0) {
                function.catchUp(values, 0, values.length, elapsed);
            }
        }

        float[] read(long key) {
            Row row = rows.get(key);
            if (row == null) {
                return initial(spec, key);
            }
            float[] values = row.values().clone();
            catchUp(values, steps - row.step());
            return values;
        }
    }
}
