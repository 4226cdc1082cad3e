package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PlacementRing;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.store.Confinement;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import io.netty.util.collection.IntObjectHashMap;
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A model as one owner thread sees it: its tables, and the attempt that trains it. Confined to the
 * owner thread.
 */
final class OwnerModel {
    private final String name;
    private final OwnerShare share;
    private final ServerConfig config;
    private final IntObjectHashMap<OwnerTable> tables = new IntObjectHashMap<>();
    private final Confinement confinement = new Confinement();
    private OwnerAttempt attempt;

    /**
     * Says which partitions this owner owns.
     *
     * @param server index in the model's list of servers
     * @param servers length of that list
     * @param owner index of this owner thread
     * @param owners of this server
     */
    record OwnerShare(int server, int servers, int owner, int owners) {}

    OwnerModel(String name, OwnerShare share, ServerConfig config) {
        this.name = name;
        this.share = share;
        this.config = config;
        this.attempt = attempt(ConsistencySpec.asp(), 0);
    }

    private OwnerAttempt attempt(ConsistencySpec consistency, int workers) {
        return new OwnerAttempt(name, tables.values(), consistency, workers, config);
    }

    /** Returns the attempt that trains the model; one without workers before there is any. */
    OwnerAttempt attempt() {
        assert confinement.isOwnThread();
        return attempt;
    }

    /**
     * Begins an attempt, whose workers are the only ones: clocks and sequences start anew, rows
     * stay. So does what waits for its round where the one before took cuts: its workers have
     * counted it. A round that is lost is lost for this attempt too, unless it restores the rows.
     */
    void beginAttempt(ConsistencySpec consistency, int workers) {
        assert confinement.isOwnThread();
        OwnerAttempt before = attempt;
        if (before.takesCuts()) {
            before.effects().endRounds();
        }
        PsException lost = before.effects().lostRound();
        before.endCuts();
        before.effects().rounds().clear();
        attempt = attempt(consistency, workers);
        if (lost != null) {
            attempt.effects().lose(lost);
        }
        tables.values().forEach(table -> table.beginLogs(this::log));
    }

    /** Begins the attempt's log of a partition that has what it has. */
    private PartitionLog log(PartitionLog before) {
        return new PartitionLog(before, attempt.effects().steps(), attempt.workers());
    }

    /**
     * Says where the attempt's cuts go; nothing has been trained in it yet.
     *
     * @return the clocks of its workers
     */
    long[] beginCuts(CutContext cuts) {
        assert confinement.isOwnThread();
        attempt.beginCuts(cuts);
        return attempt.effects().clocks().clocks().clone();
    }

    /** Removes all rows, to restore those of a cut. */
    OwnerRestore restore() {
        assert confinement.isOwnThread();
        attempt.endCuts();
        attempt.effects().rounds().clear();
        return new OwnerRestore(tables.values(), attempt.workers(), attempt.effects());
    }

    /** Begins at these clocks, with all partitions restored. */
    void restored(OwnerRestore restore, WorkerClocks clocks) {
        assert confinement.isOwnThread();
        restore.end(clocks);
        attempt.effects().beginAt(clocks);
        attempt.effects().forgetLoss();
    }

    /** Begins at these clocks with the rows as they are; nothing is pending. */
    void beginAt(WorkerClocks clocks) {
        assert confinement.isOwnThread();
        long lowest = clocks.lowest() == WorkerClocks.INFINITE ? 0 : clocks.lowest();
        attempt.effects().rounds().clear();
        for (OwnerTable table : tables.values()) {
            table.beginLogs(
                    before -> {
                        PartitionLog log = log(before);
                        log.goOnAt(lowest);
                        return log;
                    });
        }
        attempt.effects().beginAt(clocks); // behind the logs, which have counted nothing yet
    }

    /** Creates this owner's partitions of a table. */
    void createTable(int id, TableSpec spec) {
        assert confinement.isOwnThread();
        OwnerTable table = new OwnerTable(id, spec);
        Supplier<UpdateFunction> functions = UpdateFunctions.maker(spec.update());
        int[] primaries = PlacementRing.of(share.servers).primaries(spec.partitions());
        for (int p = 0; p < primaries.length; p++) {
            if (primaries[p] == share.server && p % share.owners == share.owner) {
                Partition partition =
                        Partition.create(spec, p, functions.get(), config.store().partitionRows());
                table.set(
                        new PartitionLog(partition, attempt.effects().steps(), attempt.workers()));
            }
        }
        tables.put(id, table);
    }

    /** Removes a table, and refuses what waits to read it; returns the table, or null. */
    OwnerTable dropTable(int id) {
        assert confinement.isOwnThread();
        OwnerTable table = tables.remove(id);
        if (table != null) {
            table.drop();
            attempt.refuseDropped();
        }
        return table;
    }

    /** Drops everything; what waits is told the reason. */
    void close(PsException reason) {
        assert confinement.isOwnThread();
        attempt.close(reason);
        tables.values().forEach(OwnerTable::drop);
        tables.clear();
    }

    /** Refuses what still waits for sessions that have ended. */
    void end(Map<OwnerSession, PsException> ended) {
        assert confinement.isOwnThread();
        attempt.end(ended);
    }

    boolean hasTable(int id) {
        assert confinement.isOwnThread();
        return tables.containsKey(id);
    }

    OwnerTable table(int id) {
        assert confinement.isOwnThread();
        OwnerTable table = tables.get(id);
        if (table == null) {
            throw new PsException(
                    ErrorCode.UNKNOWN_TABLE, "no table " + id + " in model '" + name + "'");
        }
        return table;
    }

    OwnerTable table(String table) {
        assert confinement.isOwnThread();
        for (OwnerTable candidate : tables.values()) {
            if (candidate.spec().name().equals(table)) {
                return candidate;
            }
        }
        throw new PsException(
                ErrorCode.UNKNOWN_TABLE, "no table '" + table + "' in model '" + name + "'");
    }

    Collection<OwnerTable> tables() {
        assert confinement.isOwnThread();
        return tables.values();
    }

    /**
     * Takes a request: that of a worker by its attempt, that of a plain client at once. What it
     * throws it throws before it takes anything, but where memory runs out.
     */
    void handle(ExchangeRequest request) {
        assert confinement.isOwnThread();
        if (request.session().isWorker()) {
            request.session().attempt().handle(request);
            return;
        }
        attempt.handlePlain(request);
    }
}
