package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.cut.CutPartition;
import io.github.flinkps.model.cut.RoundPush;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.store.RowImage;
import io.netty.buffer.Unpooled;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The partitions of a model at an owner while they take a cut. Confined to the owner thread. */
final class OwnerRestore {
    /** A partition whose rows are all there. */
    private record Restored(OwnerTable table, Partition partition, CutRestore.Rest rest) {}

    private final Map<String, OwnerTable> tables = new HashMap<>();
    private final List<Restored> restored = new ArrayList<>();
    private final int workers;
    private final ModelEffects effects;

    /**
     * Removes all rows of the tables.
     *
     * @param workers of the attempt that goes on
     * @param effects of that attempt, which has trained nothing yet
     */
    OwnerRestore(Collection<OwnerTable> tables, int workers, ModelEffects effects) {
        this.workers = workers;
        this.effects = effects;
        for (OwnerTable table : tables) {
            this.tables.put(table.spec().name(), table);
            table.beginLogs(
                    before -> {
                        Partition partition = before.partition();
                        partition.clear();
                        return log(partition);
                    });
        }
    }

    private PartitionLog log(Partition partition) {
        return new PartitionLog(partition, effects.steps(), workers);
    }

    /** Returns the tables, and the partitions of each that are owned here. */
    Map<TableSpec, List<Integer>> partitions() {
        Map<TableSpec, List<Integer>> all = new LinkedHashMap<>();
        tables.values()
                .forEach(
                        table ->
                                all.put(
                                        table.spec(),
                                        Arrays.stream(table.owned()).boxed().toList()));
        return all;
    }

    private OwnerTable table(String name) {
        OwnerTable table = tables.get(name);
        if (table == null) {
            throw new PsException(ErrorCode.UNKNOWN_TABLE, "table '" + name + "' is gone");
        }
        return table;
    }

    /** Takes rows of a partition. */
    void rows(String table, int number, RowBlock rows) {
        Partition partition = table(table).partition(number);
        RowImage image = partition.image(rows.rows());
        System.arraycopy(rows.keys(), 0, image.keys(), 0, rows.rows());
        int values = rows.rows() * partition.spec().width();
        System.arraycopy(rows.values(), 0, image.values(), 0, values);
        for (int slot = 0; slot < image.slots().length; slot++) {
            System.arraycopy(rows.slots()[slot], 0, image.slots()[slot], 0, values);
        }
        if (image.stepsOrNull() != null) {
            System.arraycopy(rows.steps(), 0, image.stepsOrNull(), 0, rows.rows());
        }
        partition.restore(image, rows.rows());
    }

    /** Takes steps and unfinished rounds of a partition, whose rows are all there. */
    void rest(String name, int number, CutRestore.Rest rest) {
        OwnerTable table = table(name);
        restored.add(new Restored(table, table.partition(number), rest));
    }

    /**
     * Ends with the logs of all partitions. Rounds that were not over stay open where workers go on
     * with them; else they are applied with what is there.
     */
    void end(WorkerClocks clocks) {
        for (Restored of : restored) {
            if (effects.isBsp() && of.rest().bsp() && goesOn(of.rest().workers(), clocks)) {
                PartitionLog log = begin(of, of.rest().counts().steps());
                restoreRounds(of, log, effects.rounds());
            } else {
                long lowest = clocks.lowest() == WorkerClocks.INFINITE ? 0 : clocks.lowest();
                begin(of, endRounds(of)).goOnAt(lowest);
            }
        }
    }

    /**
     * Returns whether the workers for whom rounds waited at the cut begin where they stood. Those
     * that were idle begin in these rounds too, or behind.
     */
    private static boolean goesOn(WorkerClocks cut, WorkerClocks clocks) {
        if (cut.workers() != clocks.workers() || cut.lowest() == WorkerClocks.INFINITE) {
            return false;
        }
        for (int worker = 0; worker < cut.workers(); worker++) {
            long stood = cut.clock(worker);
            if (stood != WorkerClocks.INFINITE && stood != clocks.clock(worker)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Begins the attempt's log of a partition.
     *
     * @param counts of the cut, or of the rounds that have been ended since
     */
    private PartitionLog begin(Restored of, StepCounts counts) {
        PartitionLog log = log(of.partition());
        log.restore(counts, of.rest().counts().stepsBefore());
        of.table().set(log);
        return log;
    }

    /** Ends the rounds that are open at a partition, if there are any; returns what it counts. */
    private static StepCounts endRounds(Restored of) {
        CutPartition counts = of.rest().counts();
        if (of.rest().rounds().isEmpty()) {
            return counts.steps();
        }
        int cutWorkers = of.rest().workers().workers();
        StepCount steps = new StepCount(true);
        OpenRounds rounds = new OpenRounds(cutWorkers, steps);
        PartitionLog log = new PartitionLog(of.partition(), steps, cutWorkers);
        log.restore(counts.steps(), counts.stepsBefore());
        of.table().set(log);
        restoreRounds(of, log, rounds);
        Throwable lost = rounds.endBefore(WorkerClocks.INFINITE);
        if (lost != null) {
            throw KnownError.of(lost);
        }
        return log.counts();
    }

    private static void restoreRounds(Restored of, PartitionLog log, OpenRounds rounds) {
        for (RoundPush push : of.rest().rounds()) {
            rounds.restore(
                    push.clock(), push.worker(), push.workerWeight(), log, push(of.table(), push));
        }
    }

    /** Returns a push as it was saved, of one slice; null for a weight alone. */
    private static Push push(OwnerTable table, RoundPush push) {
        if (push.keys().length == 0) {
            return null;
        }
        long[] hashes = push.keys().clone();
        if (table.spec().isSparse()) {
            KeyRows.hash(table.hash(), hashes, hashes.length);
        }
        KeyRows rows = KeyRows.of(table, hashes);
        rows.prepare(true);
        FloatBuffer gradients = FloatBuffer.wrap(push.gradients());
        return new Push(rows, Unpooled.EMPTY_BUFFER, gradients, push.weight());
    }
}
