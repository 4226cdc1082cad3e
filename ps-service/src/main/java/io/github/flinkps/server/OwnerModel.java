package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PlacementRing;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ExchangeLayout;
import io.github.flinkps.server.PartitionLog.Place;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A model as one owner thread sees it: the logs of its partitions, and the pulls that wait for a
 * clock. Confined to the owner thread.
 */
final class OwnerModel {
    private final String name;
    private final OwnerPlace place;
    private final int maxParked;
    private final Map<Integer, OwnerTable> tables = new HashMap<>();
    private final List<PartitionLog> logs = new ArrayList<>();
    private final ArrayDeque<ExchangeRequest> parked = new ArrayDeque<>();
    private final RoundMerger merger = new RoundMerger();

    /**
     * Takes every entry that stands in all logs, whatever tables come and go: a table begins where
     * it stands.
     */
    private PartitionLog ledger;

    private ReadBound bound;
    private int workers;

    /**
     * Which partitions this owner holds.
     *
     * @param server index in the model's list of servers
     * @param servers length of that list
     * @param owner index of this owner thread
     * @param owners of this server
     */
    record OwnerPlace(int server, int servers, int owner, int owners) {}

    OwnerModel(String name, OwnerPlace place, int maxParked) {
        this.name = name;
        this.place = place;
        this.maxParked = maxParked;
        this.bound = ReadBound.of(ConsistencySpec.asp());
        this.ledger = newLedger();
    }

    private PartitionLog newLedger() {
        TableSpec none = TableSpec.dense("ledger", 1, 1, UpdateSpec.of("add"));
        UpdateFunction function = UpdateFunctions.maker(none.update()).get();
        return new PartitionLog(Partition.create(none, 0, function), bound, merger, workers);
    }

    String name() {
        return name;
    }

    /** Begins an attempt: what waits is refused, clocks and sequences start anew, rows stay. */
    void beginAttempt(ConsistencySpec consistency, int newWorkers) {
        PsException refusal =
                new PsException(ErrorCode.FENCED, "model '" + name + "' has a newer attempt");
        parked.forEach(request -> request.fail(refusal));
        parked.clear();
        bound = ReadBound.of(consistency);
        workers = newWorkers;
        ledger = newLedger();
        logs.clear();
        for (OwnerTable table : tables.values()) {
            for (int p = 0; p < table.spec().partitions(); p++) {
                if (table.log(p) != null) {
                    table.log(p).release();
                    add(table, table.log(p).partition());
                }
            }
        }
    }

    private PartitionLog add(OwnerTable table, Partition partition) {
        PartitionLog log = new PartitionLog(partition, bound, merger, workers);
        table.set(log);
        logs.add(log);
        return log;
    }

    /** Creates this owner's partitions of a table. */
    void createTable(int id, TableSpec spec) {
        OwnerTable table = new OwnerTable(id, spec);
        Supplier<UpdateFunction> functions = UpdateFunctions.maker(spec.update());
        int[] primaries = PlacementRing.of(place.servers).primaries(spec.partitions());
        for (int p = 0; p < primaries.length; p++) {
            if (primaries[p] == place.server && p % place.owners == place.owner) {
                add(table, Partition.create(spec, p, functions.get())).startLike(ledger);
            }
        }
        tables.put(id, table);
    }

    /** Removes a table; returns it, or null. */
    OwnerTable dropTable(int id) {
        OwnerTable table = tables.remove(id);
        if (table != null) {
            logs.removeIf(log -> table.owns(log) && release(log));
        }
        return table;
    }

    private static boolean release(PartitionLog log) {
        log.release();
        return true;
    }

    /** Drops everything. */
    void close() {
        PsException gone = new PsException(ErrorCode.UNKNOWN_MODEL, "model '" + name + "' is gone");
        parked.forEach(request -> request.fail(gone));
        parked.clear();
        logs.forEach(PartitionLog::release);
        logs.clear();
        tables.clear();
    }

    OwnerTable table(int id) {
        OwnerTable table = tables.get(id);
        if (table == null) {
            throw new PsException(
                    ErrorCode.UNKNOWN_TABLE, "no table " + id + " in model '" + name + "'");
        }
        return table;
    }

    OwnerTable table(String table) {
        for (OwnerTable candidate : tables.values()) {
            if (candidate.spec().name().equals(table)) {
                return candidate;
            }
        }
        throw new PsException(
                ErrorCode.UNKNOWN_TABLE, "no table '" + table + "' in model '" + name + "'");
    }

    Iterable<OwnerTable> tables() {
        return tables.values();
    }

    Iterable<PartitionLog> logs() {
        return logs;
    }

    /** The lowest clock here, infinite without workers. */
    long lowestClock() {
        return ledger.lowest();
    }

    /**
     * Takes a request that has been bound: its entry in turn, then its pulls when they may be seen.
     */
    void handle(ExchangeRequest request) {
        OwnerSession session = request.session();
        session.checkFence();
        if (request.hasEntry()) {
            if (request.isExplicit() == session.isWorker()) {
                throw new PsException(
                        ErrorCode.MALFORMED,
                        "sequences are explicit for plain clients, and only there");
            }
            if (!request.isExplicit()
                    && PartitionLog.place(session.expected(), request.sequence()) == Place.EARLY) {
                session.addEarly(request.sequence(), request);
                return;
            }
        }
        take(request);
        ExchangeRequest next = session.pollEarly();
        while (next != null) {
            attempt(next, this::take);
            next = session.pollEarly();
        }
        releaseParked();
    }

    /** Does something with a request that is not the one at hand: what fails is its answer. */
    private static void attempt(ExchangeRequest request, Consumer<ExchangeRequest> action) {
        try {
            action.accept(request);
        } catch (PsException e) {
            request.fail(e);
        } catch (RuntimeException e) {
            request.fail(new PsException(ErrorCode.INTERNAL, e.toString(), e));
        }
    }

    private void take(ExchangeRequest request) {
        for (int i = 0; i < request.pushes(); i++) {
            request.push(i).rows().prepare(true);
        }
        if (request.hasEntry()) {
            if (request.isExplicit()) {
                takeExplicit(request);
            } else {
                takeUniform(request);
            }
        }
        if (request.ready()) {
            answer(request);
        } else if (parked.size() >= maxParked) {
            throw new PsException(ErrorCode.THROTTLED, "too many pulls wait for a clock");
        } else {
            parked.add(request);
        }
    }

    private static void answer(ExchangeRequest request) {
        for (int i = 0; i < request.pulls(); i++) {
            request.pull(i).prepare(false);
        }
        request.answer();
    }

    /** An entry of a worker: it stands in the log of every partition here. */
    private void takeUniform(ExchangeRequest request) {
        OwnerSession session = request.session();
        int worker = session.worker();
        long sequence = request.sequence();
        if (sequence == session.expected()) {
            session.take();
        }
        for (int i = 0; i < request.pushes(); i++) {
            ExchangeRequest.Push push = request.push(i);
            for (int slice = 0; slice < push.rows().slices(); slice++) {
                PartitionLog log = push.rows().log(slice);
                if (log.place(worker, sequence) == Place.NEXT) {
                    log.push(worker, contribution(request, push, slice));
                }
            }
        }
        take(ledger, request);
        for (PartitionLog log : logs) {
            take(log, request);
        }
    }

    private static void take(PartitionLog log, ExchangeRequest request) {
        int worker = request.session().worker();
        if (log.place(worker, request.sequence()) == Place.NEXT) {
            log.take(worker);
            advance(log, worker, request);
        }
    }

    private static void advance(PartitionLog log, int worker, ExchangeRequest request) {
        if (request.has(ExchangeLayout.REJOIN)) {
            log.rejoin(worker);
        }
        if (request.has(ExchangeLayout.CLOCK)) {
            log.clock(worker, request.clock());
        }
        if (request.has(ExchangeLayout.IDLE)) {
            log.idle(worker);
        }
        if (request.has(ExchangeLayout.DEREGISTER)) {
            log.deregister(worker);
        }
    }

    /** A plain client's pushes: each partition touched has a sequence of its own. */
    private static void takeExplicit(ExchangeRequest request) {
        for (int i = 0; i < request.pushes(); i++) {
            ExchangeRequest.Push push = request.push(i);
            long[] next = request.session().explicit(push.rows().table());
            for (int slice = 0; slice < push.rows().slices(); slice++) {
                int partition = push.rows().partitions[slice];
                long sequence = request.sequence(push, slice);
                Place stands = PartitionLog.place(next[partition], sequence);
                if (stands == Place.EARLY) {
                    throw new PsException(
                            ErrorCode.THROTTLED,
                            "an earlier push to partition " + partition + " is missing");
                }
                if (stands == Place.NEXT) {
                    next[partition]++;
                    push.rows().log(slice).pushNow(contribution(request, push, slice));
                }
            }
        }
    }

    private static Contribution contribution(
            ExchangeRequest request, ExchangeRequest.Push push, int slice) {
        return new Contribution(
                push.rows(), slice, request.frame(), push.gradients(), push.weight());
    }

    private void releaseParked() {
        if (parked.isEmpty()) {
            return;
        }
        for (Iterator<ExchangeRequest> waiting = parked.iterator(); waiting.hasNext(); ) {
            ExchangeRequest request = waiting.next();
            if (request.ready()) {
                waiting.remove();
                attempt(request, OwnerModel::answer);
            }
        }
    }

    boolean hasParked() {
        return !parked.isEmpty();
    }

    /** Answers pulls whose client is about to give up. */
    void expire(long now) {
        for (Iterator<ExchangeRequest> waiting = parked.iterator(); waiting.hasNext(); ) {
            ExchangeRequest request = waiting.next();
            if (now - request.deadline() >= 0) {
                waiting.remove();
                PartitionLog log = request.laggingLog();
                request.fail(
                        new PsException(
                                ErrorCode.NOT_READY,
                                "worker "
                                        + log.laggard()
                                        + " of model '"
                                        + name
                                        + "' stands at clock "
                                        + log.lowest()
                                        + ", which holds back worker "
                                        + request.session().worker()
                                        + " at clock "
                                        + request.pullClock()));
            }
        }
    }
}
