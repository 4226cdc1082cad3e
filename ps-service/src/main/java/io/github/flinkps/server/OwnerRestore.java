package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.RoundPush;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.store.RowImage;
import io.netty.buffer.Unpooled;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The partitions of a model at an owner while they take a cut. Confined to the owner thread. */
final class OwnerRestore {
    private final Map<String, OwnerTable> tables = new HashMap<>();
    private final ReadBound bound;
    private final RoundMerger merger;

    /** Removes all rows of the tables. */
    OwnerRestore(Collection<OwnerTable> tables, ReadBound bound, RoundMerger merger) {
        this.bound = bound;
        this.merger = merger;
        for (OwnerTable table : tables) {
            this.tables.put(table.spec().name(), table);
            for (int partition : held(table)) {
                table.log(partition).release();
                table.partition(partition).clear();
            }
        }
    }

    private static List<Integer> held(OwnerTable table) {
        List<Integer> partitions = new ArrayList<>();
        for (int p = 0; p < table.spec().partitions(); p++) {
            if (table.log(p) != null) {
                partitions.add(p);
            }
        }
        return partitions;
    }

    /** The tables, and the partitions of each that are held here. */
    Map<TableSpec, List<Integer>> partitions() {
        Map<TableSpec, List<Integer>> all = new HashMap<>();
        tables.values().forEach(table -> all.put(table.spec(), held(table)));
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
        WorkerClocks clocks = rest.workers().copy();
        PartitionLog log = new PartitionLog(table.partition(number), bound, merger, clocks);
        table.set(log);
        log.restore(rest.counts().step(), rest.counts().stepsBefore());
        for (RoundPush push : rest.rounds()) {
            log.restorePending(
                    push.clock(), push.worker(), push.workerWeight(), contribution(table, push));
        }
    }

    private static Contribution contribution(OwnerTable table, RoundPush push) {
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
        return new Contribution(rows, 0, Unpooled.EMPTY_BUFFER, gradients, push.weight());
    }

    /**
     * Ends with the logs of all partitions. Where workers begin elsewhere than they stood, rounds
     * that were not complete are applied with what is there.
     */
    List<PartitionLog> end(WorkerClocks clocks) {
        List<PartitionLog> logs = new ArrayList<>();
        for (OwnerTable table : tables.values()) {
            for (int partition : held(table)) {
                logs.add(end(table, table.log(partition), clocks));
            }
        }
        return logs;
    }

    private PartitionLog end(OwnerTable table, PartitionLog log, WorkerClocks clocks) {
        if (Arrays.equals(log.clocks().clocks(), clocks.clocks())) {
            return log;
        }
        log.applyPending();
        PartitionLog begun = new PartitionLog(log.partition(), bound, merger, clocks.copy());
        begun.restore(log.partition().step(), log.stepsBefore());
        table.set(begun);
        return begun;
    }
}
