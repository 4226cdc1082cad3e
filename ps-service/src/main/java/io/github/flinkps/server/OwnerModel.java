package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PlacementRing;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.protocol.ExchangeLayout;
import io.github.flinkps.server.WorkerClocks.Place;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A model as one owner thread sees it: the logs of its partitions, and the pulls that wait for a
 * clock. Confined to the owner thread.
 */
final class OwnerModel {
    private final String name;
    private final OwnerPlace place;
    private final ServerConfig config;
    private final Map<Integer, OwnerTable> tables = new HashMap<>();
    private final List<PartitionLog> logs = new ArrayList<>();
    private final List<ExchangeRequest> parked = new ArrayList<>();
    private final RoundMerger merger = new RoundMerger();
    private ReadBound bound;
    private OwnerCuts cuts = new OwnerCuts(0, this, null);

    private RoundBudget budget = new RoundBudget(0);

    /** Why a round is lost, or null. */
    private PsException lostRound;

    /** Where the log of every partition here stands; also while there is none. */
    private WorkerClocks standing = new WorkerClocks(0);

    /**
     * Which partitions this owner holds.
     *
     * @param server index in the model's list of servers
     * @param servers length of that list
     * @param owner index of this owner thread
     * @param owners of this server
     */
    record OwnerPlace(int server, int servers, int owner, int owners) {}

    OwnerModel(String name, OwnerPlace place, ServerConfig config) {
        this.name = name;
        this.place = place;
        this.config = config;
        this.bound = ReadBound.of(ConsistencySpec.asp());
    }

    String name() {
        return name;
    }

    /** Refuses the pulls that still wait for sessions that have ended. */
    void refuse(Map<OwnerSession, PsException> ended) {
        parked.removeIf(
                request -> {
                    PsException reason = ended.get(request.session());
                    if (reason != null) {
                        request.fail(reason);
                    }
                    return reason != null;
                });
        if (ended.keySet().stream().anyMatch(OwnerSession::isWorker)) {
            cuts.close();
        }
    }

    /**
     * Begins an attempt, whose workers are the only ones: clocks and sequences start anew, rows
     * stay. So does what waits for its round where the one before took cuts: its workers have
     * counted it.
     */
    void beginAttempt(ConsistencySpec consistency, int newWorkers) {
        lostRound = null;
        if (cuts.isPlaced()) {
            logs.forEach(this::applyPending);
        }
        bound = ReadBound.of(consistency);
        standing = new WorkerClocks(newWorkers);
        cuts.close();
        cuts = new OwnerCuts(newWorkers, this, null);
        budget = new RoundBudget(bound.rounds() ? config.requests().inFlightBytes() : 0);
        beginLogs();
    }

    private void applyPending(PartitionLog log) {
        try {
            log.applyPending();
        } catch (RuntimeException | Error e) {
            lost(e);
        }
    }

    /** A round is lost, and with it pushes of all workers that were acknowledged. */
    private void lost(Throwable cause) {
        lostRound = lostRound == null ? ExchangeRequest.known(cause) : lostRound;
    }

    /** Why the rows are not what was pushed to them, so that no cut may have them; or null. */
    PsException loss() {
        return lostRound;
    }

    private void beginLogs() {
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

    /**
     * The attempt says where its cuts go; nothing has been trained in it yet.
     *
     * @return the clocks of its workers
     */
    long[] beginCuts(CutPlace place) {
        cuts.close();
        cuts = new OwnerCuts(standing.workers(), this, place);
        return standing.clocks().clone();
    }

    /** Removes all rows, to restore those of a cut. */
    OwnerRestore restore() {
        cuts.close();
        return new OwnerRestore(tables.values(), bound, merger);
    }

    /** All partitions have been restored, and the workers begin at these clocks. */
    void restored(OwnerRestore restore, WorkerClocks clocks) {
        lostRound = null;
        standing = clocks.copy();
        logs.clear();
        logs.addAll(restore.end(clocks));
    }

    /** Rows stay, and the workers of the attempt begin at these clocks; nothing is pending. */
    void beginAt(WorkerClocks clocks) {
        standing = clocks.copy();
        long lowest = clocks.lowest() == WorkerClocks.INFINITE ? 0 : clocks.lowest();
        beginLogs();
        logs.forEach(log -> log.restore(log.partition().step(), log.partition().step() - lowest));
    }

    /** A cut of an attempt has been given up elsewhere. */
    void abortCut(long fence, long cut) {
        if (cuts.isOf(fence)) {
            cuts.abort(cut);
            settle();
        }
    }

    private void add(OwnerTable table, Partition partition) {
        PartitionLog log = new PartitionLog(partition, bound, merger, standing.copy());
        table.set(log);
        logs.add(log);
    }

    /** Creates this owner's partitions of a table. */
    void createTable(int id, TableSpec spec) {
        OwnerTable table = new OwnerTable(id, spec);
        Supplier<UpdateFunction> functions = UpdateFunctions.maker(spec.update());
        int[] primaries = PlacementRing.of(place.servers).primaries(spec.partitions());
        for (int p = 0; p < primaries.length; p++) {
            if (primaries[p] == place.server && p % place.owners == place.owner) {
                add(
                        table,
                        Partition.create(spec, p, functions.get(), config.store().partitionRows()));
            }
        }
        tables.put(id, table);
    }

    /** Removes a table, and refuses what waits to read it; returns the table, or null. */
    OwnerTable dropTable(int id) {
        OwnerTable table = tables.remove(id);
        if (table != null) {
            logs.removeIf(log -> table.owns(log) && release(log));
            parked.removeIf(request -> refusedForTable(request) && failed(request));
        }
        return table;
    }

    private static boolean release(PartitionLog log) {
        log.release();
        return true;
    }

    private boolean refusedForTable(ExchangeRequest request) {
        OwnerTable missing =
                request.refusal() == null
                        ? request.missingTable(table -> tables.get(table.id()) == table)
                        : null;
        if (missing == null) {
            return false;
        }
        request.refuse(
                new PsException(
                        ErrorCode.UNKNOWN_TABLE,
                        "table '" + missing.spec().name() + "' of model '" + name + "' is gone"));
        return true;
    }

    private static boolean failed(ExchangeRequest request) {
        request.fail(request.refusal());
        return true;
    }

    /** Drops everything; what waits is told the reason. */
    void close(PsException reason) {
        parked.forEach(request -> request.fail(reason));
        parked.clear();
        cuts.close();
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
        return standing.lowest();
    }

    /**
     * Takes a request that has been bound: its entry in turn, then its pulls when they may be seen.
     * What it throws it throws before it takes anything, but where memory runs out.
     */
    void handle(ExchangeRequest request) {
        OwnerSession session = request.session();
        if (request.hasEntry()) {
            if (request.isExplicit() == session.isWorker()) {
                throw new PsException(
                        ErrorCode.MALFORMED,
                        "sequences are explicit for plain clients, and only there");
            }
            if (!request.isExplicit()
                    && WorkerClocks.place(session.expected(), request.sequence()) == Place.EARLY) {
                session.addEarly(request, config.requests().inFlightBytes());
                return;
            }
        }
        attempt(request);
        ExchangeRequest next = session.pollEarly();
        while (next != null) {
            attempt(next);
            next = session.pollEarly();
        }
        settle();
    }

    /** Freezes and lets go on what may, and answers the pulls that may be seen. */
    void settle() {
        cuts.settle();
        parked.removeIf(this::settle);
    }

    /** Takes a request; what fails is its answer. */
    private void attempt(ExchangeRequest request) {
        if (request.isOver()) {
            return;
        }
        try {
            take(request);
        } catch (RuntimeException | Error e) {
            request.fail(ExchangeRequest.known(e));
        }
    }

    /** Answers a request if its pulls may be seen now, or if that fails. */
    private boolean settle(ExchangeRequest request) {
        if (request.isOver()) {
            return true;
        }
        try {
            refuseIfLost(request);
            if (request.refusal() != null) {
                failed(request);
            } else if (request.ready()) {
                request.answer();
            } else {
                checkCutPending(request);
                return false;
            }
        } catch (RuntimeException | Error e) {
            request.fail(ExchangeRequest.known(e));
        }
        return true;
    }

    private void take(ExchangeRequest request) {
        refusedForTable(request);
        request.refuse(request.session().failure());
        refuseIfLost(request);
        if (request.hasEntry()) {
            if (request.isExplicit()) {
                PlainPushes.take(request);
            } else {
                takeUniform(request);
            }
        }
        if (request.refusal() != null) {
            failed(request);
        } else if (request.ready()) {
            request.answer();
        } else {
            checkCutPending(request);
            park(request);
        }
    }

    private void refuseIfLost(ExchangeRequest request) {
        if (request.session().isWorker()) {
            request.refuse(lostRound);
        }
    }

    private void park(ExchangeRequest request) {
        if (parked.size() >= config.requests().maxParked()) {
            throw new PsException(ErrorCode.THROTTLED, "too many pulls wait for a clock");
        }
        request.hold(config.requests().inFlightBytes());
        parked.add(request);
    }

    /**
     * Whether the pull waits for a worker that is held behind a barrier to which the caller has not
     * come: it would wait until the caller does.
     *
     * @throws PsException CUT_PENDING
     */
    private void checkCutPending(ExchangeRequest request) {
        int worker = request.session().worker();
        if (worker < 0) {
            return;
        }
        long cut =
                cuts.blocking(
                        worker,
                        other -> bound.waitsFor(standing.clock(other), request.pullClock()));
        if (cut > 0) {
            throw new PsException(
                    ErrorCode.CUT_PENDING,
                    "worker "
                            + worker
                            + " of model '"
                            + name
                            + "' has not come to barrier "
                            + cut
                            + ", behind which a worker it waits for is held");
        }
    }

    /**
     * An entry of a worker: it stands in the log of every partition here, and takes its place there
     * even if its pushes are refused.
     */
    private void takeUniform(ExchangeRequest request) {
        OwnerSession session = request.session();
        int worker = session.worker();
        if (WorkerClocks.place(session.expected(), request.sequence()) != Place.NEXT) {
            request.refuse(session.refusal(OwnerSession.Entry.ofWorker(request.sequence())));
            return; // a retry of what has been taken, or is held
        }
        if (cuts.isFull() && request.pushes() > 0) {
            throw new PsException(
                    ErrorCode.THROTTLED, "a cut is written, and too many rows change meanwhile");
        }
        if (cuts.holds(worker)) {
            cuts.hold(worker, request);
            session.take();
        } else {
            budget.check(standing, worker, request);
            session.take();
            tryEffect(request, worker);
        }
        if (request.refusal() != null) {
            session.refused(OwnerSession.Entry.ofWorker(request.sequence()), request.refusal());
        }
    }

    /** The effect of an entry that has taken its place: what fails refuses it. */
    private void tryEffect(ExchangeRequest request, int worker) {
        try {
            effect(request, worker);
        } catch (RuntimeException | Error e) {
            request.refuse(ExchangeRequest.known(e));
        }
    }

    /**
     * An entry that was held behind a marker has its effect. It has been acknowledged before: what
     * goes wrong now, its worker's next requests are told, and nobody else's.
     */
    void effectOfHeld(ExchangeRequest request) {
        boolean refused = request.refusal() != null;
        refusedForTable(request);
        tryEffect(request, request.session().worker());
        if (!refused && request.refusal() != null) {
            request.session().fail(request.refusal());
        }
    }

    private void effect(ExchangeRequest request, int worker) {
        boolean effective = !refusedForState(request, worker);
        if (effective) {
            request.prepare();
            budget.keep(standing.clock(worker), request);
            push(request, worker);
            advance(standing, worker, request);
            budget.letGo(standing.lowest());
            for (PartitionLog log : logs) {
                advance(log, worker, request);
            }
            if (request.has(ExchangeLayout.MARKER)) {
                cuts.marker(worker, request.cut(), request.completeCut());
            }
        }
    }

    boolean isFinished(int worker) {
        return standing.isFinished(worker);
    }

    /** Where the workers stand. */
    WorkerClocks standing() {
        return standing.copy();
    }

    /** Whether the worker may not do this now; the entry then has no effect at all. */
    private boolean refusedForState(ExchangeRequest request, int worker) {
        String why = null;
        if (standing.isFinished(worker)) {
            boolean may =
                    request.has(ExchangeLayout.DEREGISTER) || request.has(ExchangeLayout.MARKER);
            why = may ? null : " has deregistered";
        } else if (bound.rounds()
                && request.has(ExchangeLayout.REJOIN)
                && !request.has(ExchangeLayout.CLOCK)) {
            why = " must say at which clock it joins again: under BSP all are in one round";
        } else if (request.has(ExchangeLayout.CLOCK)
                && standing.isIdle(worker)
                && !request.has(ExchangeLayout.REJOIN)) {
            why = " is idle: it must rejoin before its clock moves";
        }
        if (why != null) {
            request.refuse(
                    new PsException(
                            ErrorCode.INVALID_ARGUMENT,
                            "worker " + worker + " of model '" + name + "'" + why));
        }
        return why != null;
    }

    private static void push(ExchangeRequest request, int worker) {
        if (request.refusal() != null) {
            return;
        }
        int pushes = request.pushes();
        for (int i = 0; i < pushes; i++) {
            ExchangeRequest.Push push = request.push(i);
            for (int slice = 0; slice < push.rows().slices(); slice++) {
                try {
                    PartitionLog log = push.rows().log(slice);
                    log.push(worker, request.contribution(push, slice));
                } catch (RuntimeException | Error e) {
                    request.refuse(ExchangeRequest.known(e));
                }
            }
        }
    }

    private static void advance(WorkerClocks clocks, int worker, ExchangeRequest request) {
        if (request.has(ExchangeLayout.REJOIN)) {
            clocks.rejoin(worker, rejoinsAt(request));
        } else if (request.has(ExchangeLayout.CLOCK)) {
            clocks.advance(worker, request.clock());
        }
        if (request.has(ExchangeLayout.IDLE)) {
            clocks.idle(worker);
        }
        if (request.has(ExchangeLayout.DEREGISTER)) {
            clocks.finish(worker);
        }
    }

    /** The clock a worker joins at, or 0 for that of the others. */
    private static long rejoinsAt(ExchangeRequest request) {
        return request.has(ExchangeLayout.CLOCK) ? request.clock() : 0;
    }

    /** A round that fails here stops no other partition, but is every worker's error. */
    private void advance(PartitionLog log, int worker, ExchangeRequest request) {
        try {
            if (request.has(ExchangeLayout.REJOIN)) {
                log.rejoin(worker, rejoinsAt(request));
            } else if (request.has(ExchangeLayout.CLOCK)) {
                log.clock(worker, request.clock(), request.batchWeight());
            }
            if (request.has(ExchangeLayout.IDLE)) {
                log.idle(worker);
            }
            if (request.has(ExchangeLayout.DEREGISTER)) {
                log.deregister(worker);
            }
        } catch (RuntimeException | Error e) {
            request.refuse(ExchangeRequest.known(e));
            lost(e);
        }
    }

    /** Whether something waits whose time may come to an end. */
    boolean isWaiting() {
        return !parked.isEmpty() || cuts.isOpen();
    }

    /** Answers pulls whose client is about to give up, and gives cuts up that took too long. */
    void expire(long now) {
        if (cuts.expire(now)) {
            settle();
        }
        parked.removeIf(
                request -> {
                    if (settle(request)) {
                        return true;
                    }
                    if (now - request.deadline() < 0) {
                        return false;
                    }
                    request.fail(notReady(request));
                    return true;
                });
    }

    private PsException notReady(ExchangeRequest request) {
        PartitionLog log = request.laggingLog();
        WorkerClocks clocks = log == null ? standing : log.clocks();
        return new PsException(
                ErrorCode.NOT_READY,
                "worker "
                        + clocks.laggard()
                        + " of model '"
                        + name
                        + "' stands at clock "
                        + clocks.lowest()
                        + ", which holds back worker "
                        + request.session().worker()
                        + " at clock "
                        + request.pullClock());
    }
}
