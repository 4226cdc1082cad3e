package io.github.flinkps.server.store;

import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rows that a partition should hold, as a map in order of birth. */
final class ReferenceRows {
    private final TableSpec spec;
    private final UpdateFunction function;
    private final RowInitializer initializer;
    final Map<Long, Row> rows = new LinkedHashMap<>();
    long step;

    /** Equal if all bits are. */
    record Row(float[] value, float[][] slots, int lastStep) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Row row
                    && Arrays.equals(value, row.value)
                    && Arrays.deepEquals(slots, row.slots)
                    && lastStep == row.lastStep;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return Arrays.toString(value) + Arrays.deepToString(slots) + " at " + lastStep;
        }

        Row at(int step) {
            float[][] copy = Arrays.stream(slots).map(float[]::clone).toArray(float[][]::new);
            return new Row(value.clone(), copy, step);
        }
    }

    ReferenceRows(TableSpec spec) {
        this.spec = spec;
        this.function = UpdateFunctions.create(spec.update());
        this.initializer = RowInitializer.of(spec);
    }

    Row initial(long key, long lastStep) {
        float[] value = new float[spec.width()];
        initializer.fill(key, value, 0, value.length);
        float[][] slots = new float[function.slots()][value.length];
        function.slotsOf(value, slots, 0, value.length);
        return new Row(value, slots, function.catchesUp() ? (int) lastStep : 0);
    }

    /** Rows of a dense table are there from the beginning. */
    void create(long key) {
        rows.computeIfAbsent(key, k -> initial(k, spec.isSparse() ? step : 0));
    }

    void push(long key, float[] gradients, int at, StepContext context) {
        create(key);
        Row old = rows.get(key);
        Row row = old.at(function.catchesUp() ? (int) context.step() : 0);
        long elapsed = context.step() - 1 - old.lastStep;
        if (function.catchesUp() && elapsed > 0) {
            function.catchUp(row.value, 0, spec.width(), elapsed);
        }
        float[] own = Arrays.copyOfRange(gradients, at, at + spec.width());
        function.apply(row.value, row.slots, own, 0, own.length, context);
        rows.put(key, row);
    }

    void load(long key, float[] value) {
        float[][] slots = new float[function.slots()][value.length];
        function.slotsOf(value, slots, 0, value.length);
        rows.put(key, new Row(value.clone(), slots, function.catchesUp() ? (int) step : 0));
    }

    /** The rows as they are; rows never change in place. */
    Map<Long, Row> snapshot() {
        return new LinkedHashMap<>(rows);
    }
}
