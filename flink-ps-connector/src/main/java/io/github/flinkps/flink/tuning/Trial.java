package io.github.flinkps.flink.tuning;

import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trains models of the same tables, which differ in their optimizers or losses, side by side on a
 * few rows in memory: each mini-batch once for all. Their keys must be the indices from 0 on.
 * Belongs to one thread.
 */
final class Trial {
    private final TrainingModel first;
    private final Tables touched;
    private final List<State> states = new ArrayList<>();

    /**
     * @param models all alike but for their losses and the optimizers of their tables
     * @param keys the number of different keys
     * @param dropsTiny whether what is lost beside values of the size of 1 is dropped
     */
    Trial(List<TrainingModel> models, int keys, boolean dropsTiny) {
        first = models.get(0);
        touched = new Tables(first.tables(), keys);
        models.forEach(one -> states.add(new State(one, keys, dropsTiny)));
    }

    /** Trains all models on the rows {@code [from, to)} as one mini-batch. */
    void train(RowBatch rows, int from, int to, long step) {
        touched.begin();
        first.touch(rows, from, to, touched);
        double weight = rows.weightSum(from, to);
        for (State state : states) {
            state.gather(touched);
            state.model.gradients(rows, from, to, touched.of(state), state);
            state.apply(touched, weight, step);
        }
    }

    /** Adds the losses of each model over rows to {@code sums}, from {@code at} on. */
    void addLosses(RowBatch rows, double[] sums, int at) {
        touched.begin();
        first.touch(rows, 0, rows.rows(), touched);
        for (int i = 0; i < states.size(); i++) {
            State state = states.get(i);
            state.gather(touched);
            sums[at + i] += state.model.gradients(rows, 0, rows.rows(), touched.of(state), state);
        }
    }

    /** Says which rows of which tables a mini-batch touches. */
    private static final class Tables implements KeyCollector, Parameters {
        private final int[][] rows;
        private final int[] rowCounts;
        private final int[][] placeOf;
        private final int[][] seen;
        private final int[][] positions;
        private final int[] positionCounts;
        private final boolean[] ranges;
        private int batch;
        private State state;

        Tables(List<TableSpec> tables, int keys) {
            int count = tables.size();
            rows = new int[count][];
            rowCounts = new int[count];
            placeOf = new int[count][];
            seen = new int[count][];
            positions = new int[count][16];
            positionCounts = new int[count];
            ranges = new boolean[count];
            for (int table = 0; table < count; table++) {
                int most = State.rowsOf(tables.get(table), keys);
                rows[table] = new int[most];
                placeOf[table] = new int[most];
                seen[table] = new int[most];
            }
        }

        void begin() {
            batch++;
            Arrays.fill(rowCounts, 0);
            Arrays.fill(positionCounts, 0);
            Arrays.fill(ranges, false);
        }

        Parameters of(State values) {
            state = values;
            return this;
        }

        @Override
        public void add(int table, long[] keys, int from, int to) {
            int count = positionCounts[table];
            if (count + to - from > positions[table].length) {
                positions[table] = Arrays.copyOf(positions[table], 2 * (count + to - from));
            }
            for (int i = from; i < to; i++) {
                positions[table][count++] = place(table, Math.toIntExact(keys[i]));
            }
            positionCounts[table] = count;
        }

        @Override
        public void add(int table, long key) {
            add(table, new long[] {key}, 0, 1);
        }

        private int place(int table, int key) {
            if (seen[table][key] != batch) {
                seen[table][key] = batch;
                placeOf[table][key] = rowCounts[table];
                rows[table][rowCounts[table]++] = key;
            }
            return placeOf[table][key];
        }

        @Override
        public void range(int table, long fromKey, long toKey) {
            ranges[table] = true;
            for (long key = fromKey; key < toKey; key++) {
                place(table, Math.toIntExact(key));
            }
        }

        @Override
        public long seed() {
            return 0;
        }

        @Override
        public int rows(int table) {
            return rowCounts[table];
        }

        @Override
        public float[] values(int table) {
            return state.pulled[table];
        }

        @Override
        public int[] positions(int table) {
            return ranges[table] ? null : positions[table];
        }
    }

    /** One model and its tables, and those of their rows that a mini-batch touches. */
    private static final class State implements Gradients {
        private static final float TINY = 1e-15f;

        private final TrainingModel model;
        private final boolean dropsTiny;
        private final List<UpdateFunction> updates = new ArrayList<>();
        private final int[] widths;
        private final float[][] values;
        private final float[][][] slots;
        private final float[][] pulled;
        private final float[][][] pulledSlots;
        private final float[][] gradients;
        private final StepContext context = new StepContext();

        State(TrainingModel model, int keys, boolean dropsTiny) {
            this.model = model;
            this.dropsTiny = dropsTiny;
            List<TableSpec> tables = model.tables();
            int count = tables.size();
            widths = new int[count];
            values = new float[count][];
            slots = new float[count][][];
            pulled = new float[count][];
            pulledSlots = new float[count][][];
            gradients = new float[count][];
            for (int table = 0; table < count; table++) {
                TableSpec spec = tables.get(table);
                UpdateFunction update = UpdateFunctions.create(spec.update());
                updates.add(update);
                widths[table] = spec.width();
                int size = Math.multiplyExact(rowsOf(spec, keys), spec.width());
                values[table] = new float[size];
                RowInitializer initializer = RowInitializer.of(spec);
                for (int row = 0; row < rowsOf(spec, keys); row++) {
                    initializer.fill(row, values[table], row * spec.width(), spec.width());
                }
                slots[table] = new float[update.slots()][size];
                update.slotsOf(values[table], slots[table], 0, size);
                pulled[table] = new float[size];
                pulledSlots[table] = new float[update.slots()][size];
                gradients[table] = new float[size];
            }
        }

        static int rowsOf(TableSpec table, int keys) {
            return table.isSparse() ? keys : Math.toIntExact(table.size());
        }

        void gather(Tables touched) {
            for (int table = 0; table < widths.length; table++) {
                copy(touched, table, values[table], pulled[table], true);
                Arrays.fill(gradients[table], 0, touched.rowCounts[table] * widths[table], 0);
            }
        }

        void apply(Tables touched, double weight, long step) {
            context.set(weight, step);
            for (int table = 0; table < widths.length; table++) {
                int count = touched.rowCounts[table] * widths[table];
                dropTiny(gradients[table], count);
                for (int slot = 0; slot < slots[table].length; slot++) {
                    copy(touched, table, slots[table][slot], pulledSlots[table][slot], true);
                }
                updates.get(table)
                        .apply(
                                pulled[table],
                                pulledSlots[table],
                                gradients[table],
                                0,
                                count,
                                context);
                dropTiny(pulled[table], count);
                copy(touched, table, values[table], pulled[table], false);
                for (int slot = 0; slot < slots[table].length; slot++) {
                    copy(touched, table, slots[table][slot], pulledSlots[table][slot], false);
                }
            }
        }

        /**
         * Puts 0 in the place of what is lost beside other values. A strong L2 makes many of them,
         * and processors take a hundred times as long for products that are subnormal.
         */
        private void dropTiny(float[] numbers, int count) {
            for (int i = 0; dropsTiny && i < count; i++) {
                numbers[i] = Math.abs(numbers[i]) < TINY ? 0 : numbers[i];
            }
        }

        private void copy(Tables touched, int table, float[] all, float[] own, boolean pull) {
            int width = widths[table];
            int[] rows = touched.rows[table];
            for (int i = 0; i < touched.rowCounts[table]; i++) {
                if (pull) {
                    System.arraycopy(all, rows[i] * width, own, i * width, width);
                } else {
                    System.arraycopy(own, i * width, all, rows[i] * width, width);
                }
            }
        }

        @Override
        public float[] values(int table) {
            return gradients[table];
        }
    }
}
