package io.github.flinkps.server;

import io.github.flinkps.common.StepCounts;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.cut.CutPartWriter;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.RoundPush;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.store.RowImage;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The part that an owner adds to a cut: collected at the freeze by the owner thread, then written
 * by the writing thread alone.
 */
final class OwnerPart {
    /** The facts of a partition that are known before it is written. */
    private record Frozen(
            OwnerTable table, Partition partition, long rows, StepCounts steps, long before) {}

    /** A push that waits for its round, or a weight alone. */
    private record Pending(
            OwnerTable table,
            int partition,
            long clock,
            int worker,
            double batchWeight,
            Push push,
            int slice) {}

    private final CutContext context;
    private final CutLedger.Complete cut;
    private final WorkerClocks clocks;
    private final OpenRounds rounds;
    private final List<OwnerTable> tables = new ArrayList<>();
    private final List<TableLayout> layouts = new ArrayList<>();
    private final List<Frozen> frozen = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();
    private final ArrayList<AdminMessages.CutPartition> partitions = new ArrayList<>();
    private CutPartWriter writer;
    private boolean over;
    private long savedBytes;
    private byte[] encoded;

    OwnerPart(CutContext context, CutLedger.Complete cut, CutImage.Source source) {
        this.context = context;
        this.cut = cut;
        this.clocks = source.clocks().copy();
        this.rounds = source.rounds();
        tables.addAll(source.tables());
        tables.sort(Comparator.comparing(table -> table.spec().name()));
        for (OwnerTable table : tables) {
            UpdateFunction function = UpdateFunctions.create(table.spec().update());
            layouts.add(new TableLayout(table.spec(), function.slots(), function.catchesUp()));
        }
    }

    /** Returns the tables in the order of their names, which is that of all writers. */
    List<OwnerTable> tables() {
        return tables;
    }

    /** Adds a partition; on the owner thread. */
    void add(OwnerTable table, PartitionLog log) {
        Partition partition = log.partition();
        frozen.add(new Frozen(table, partition, partition.rows(), log.counts(), log.stepsBefore()));
        int index = partition.index();
        rounds.eachPending(
                log,
                (clock, worker, weight, push, slice) -> {
                    pending.add(new Pending(table, index, clock, worker, weight, push, slice));
                    if (push != null) {
                        push.pin();
                    }
                });
    }

    // What follows is for the writing thread.

    /** Appends rows of the partition of that index among those added. */
    void append(int at, RowImage block, int rows) {
        if (over) {
            return;
        }
        open();
        while (partitions.size() < at) {
            endPartition();
        }
        writer.append(block.keys(), block.values(), block.slots(), block.stepsOrNull(), rows);
    }

    private void open() {
        if (writer == null) {
            writer =
                    CutPartWriter.open(
                            context.storage(),
                            CutPaths.directory(
                                    context.attempt().directory(), context.id(cut.cut())),
                            context.writer(),
                            layouts,
                            context.work().allocator());
            begin(0);
        }
    }

    private void begin(int at) {
        Frozen next = frozen.get(at);
        writer.begin(tables.indexOf(next.table()), next.partition().index());
    }

    private void endPartition() {
        Frozen ended = frozen.get(partitions.size());
        partitions.add(
                new AdminMessages.CutPartition(
                        tables.indexOf(ended.table()),
                        ended.partition().index(),
                        ended.rows(),
                        ended.steps(),
                        ended.before(),
                        file(writer.finish())));
        if (partitions.size() < frozen.size()) {
            begin(partitions.size());
        }
    }

    private static AdminMessages.CutFile file(StoredFile stored) {
        return stored == null
                ? null
                : new AdminMessages.CutFile(
                        stored.path(), stored.rows(), stored.bytes(), stored.crc32c());
    }

    /**
     * Makes all durable.
     *
     * @param mostSavedBytes memory of saved rows, for the report
     */
    void finish(long mostSavedBytes) {
        if (over) {
            return;
        }
        savedBytes = mostSavedBytes;
        List<AdminMessages.CutFile> rounds = new ArrayList<>();
        if (!frozen.isEmpty()) {
            open();
            while (partitions.size() < frozen.size()) {
                endPartition();
            }
            pending.forEach(this::append);
            writer.complete().forEach(stored -> rounds.add(file(stored)));
        }
        encoded = new AdminCodec().encode(report(rounds));
        end();
    }

    private void append(Pending push) {
        Push of = push.push();
        long[] keys = new long[0];
        float[] gradients = new float[0];
        if (of != null) {
            keys = of.rows().hashes(push.slice());
            for (int i = 0; push.table().spec().isSparse() && i < keys.length; i++) {
                keys[i] = push.table().hash().key(keys[i]);
            }
            gradients = new float[keys.length * push.table().spec().width()];
            of.copy(push.slice(), gradients);
        }
        writer.append(
                new RoundPush(
                        tables.indexOf(push.table()),
                        push.partition(),
                        push.clock(),
                        push.worker(),
                        of == null ? 0 : of.weight(),
                        push.batchWeight(),
                        keys,
                        gradients));
    }

    private AdminMessages.CutReport report(List<AdminMessages.CutFile> rounds) {
        ArrayList<AdminMessages.CutTable> named = new ArrayList<>();
        for (TableLayout layout : layouts) {
            named.add(
                    new AdminMessages.CutTable(
                            layout.spec().name(), layout.slots(), layout.steps()));
        }
        long[] at = new long[clocks.workers()];
        long[] states = new long[at.length];
        for (int worker = 0; worker < at.length; worker++) {
            states[worker] = clocks.isFinished(worker) ? 2 : clocks.isIdle(worker) ? 1 : 0;
            at[worker] =
                    clocks.isFinished(worker)
                            ? 0
                            : clocks.isIdle(worker)
                                    ? clocks.idleAt()[worker]
                                    : clocks.clock(worker);
        }
        return new AdminMessages.CutReport(
                cut.base(), named, partitions, new ArrayList<>(rounds), at, states, savedBytes);
    }

    /** Returns what is told of it, once {@link #finish} has returned. */
    byte[] encoded() {
        return encoded;
    }

    /** Removes what was written, unless it is complete; idempotent. */
    void abort() {
        if (!over) {
            end();
        }
    }

    private void end() {
        over = true;
        if (writer != null) {
            writer.close();
        }
        for (Pending push : pending) {
            if (push.push() != null) {
                push.push().releaseFrame();
            }
        }
        pending.clear();
    }
}
