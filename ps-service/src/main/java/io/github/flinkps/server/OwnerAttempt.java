package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.server.WorkerLog.Order;
import io.github.flinkps.transport.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * An attempt of a job at an owner thread: admits the entries of its workers to their logs, each in
 * its turn, defers those behind a marker, and answers pulls when they may be seen. What an entry
 * does is {@link ModelEffects}. Confined to the owner thread.
 */
final class OwnerAttempt {
    private final String model;
    private final Collection<OwnerTable> tables;
    private final ServerConfig config;
    private final ReadBound bound;
    private final ModelEffects effects;
    private final WorkerLog[] logs;

    /** The logs that there are. */
    private final List<WorkerLog> begun = new ArrayList<>();

    private final ParkedPulls parked;
    private final JoiningWorkers joining = new JoiningWorkers();
    private OwnerCuts cuts;

    /** True if a cut may have become complete, or a worker may be deferred no longer. */
    private boolean cutsMayMove;

    /** The changes of the effects that parked pulls have seen. */
    private long changesSeen;

    /**
     * An attempt without cuts, whose clocks are at 0.
     *
     * @param tables of the model, now and later
     */
    OwnerAttempt(
            String model,
            Collection<OwnerTable> tables,
            ConsistencySpec consistency,
            int workers,
            ServerConfig config) {
        this.model = model;
        this.tables = tables;
        this.config = config;
        this.bound = ReadBound.of(consistency);
        this.effects = new ModelEffects(model, bound, workers, config.requests().inFlightBytes());
        this.logs = new WorkerLog[workers];
        this.parked =
                new ParkedPulls(config.requests().maxParked(), config.requests().inFlightBytes());
        this.cuts = new OwnerCuts(workers, null);
    }

    ModelEffects effects() {
        return effects;
    }

    /** Returns the log of a worker, which begins when it is first asked for. */
    WorkerLog log(int worker) {
        WorkerLog log = logs[worker];
        if (log == null) {
            log = new WorkerLog();
            logs[worker] = log;
            begun.add(log);
        }
        return log;
    }

    int workers() {
        return logs.length;
    }

    /** Returns the workers whose joining is deferred. */
    JoiningWorkers joining() {
        return joining;
    }

    OwnerCuts cuts() {
        return cuts;
    }

    /** Returns the number of pulls that wait for a clock. */
    int parked() {
        return parked.size();
    }

    /** Returns whether the attempt takes cuts. */
    boolean takesCuts() {
        return cuts.isPlaced();
    }

    /** Begins to take cuts. */
    void beginCuts(CutContext context) {
        endCuts();
        cuts = new OwnerCuts(logs.length, context);
    }

    /** Drops its cuts; nothing that is deferred takes effect any more. */
    void endCuts() {
        cuts.close();
        joining.clear();
        for (WorkerLog log : begun) {
            LogEntry entry = log.pollDeferred();
            while (entry != null) {
                cuts.release(entry);
                entry = log.pollDeferred();
            }
        }
    }

    /** Gives up a cut of the attempt of this fence, which has failed elsewhere. */
    void abortCut(long fence, long cut) {
        if (cuts.isOf(fence)) {
            cuts.abort(cut);
            cutsMoved();
        }
    }

    private void cutsMoved() {
        settleCuts();
        answerParked();
    }

    /**
     * Takes a request of a worker: its entry in turn, then its pulls when they may be seen. What it
     * throws it throws before it takes anything, but where memory runs out.
     */
    void handle(ExchangeRequest request) {
        LogEntry entry = request.entry();
        WorkerLog log = log(request.session().worker());
        if (entry.hasEntry()) {
            if (entry.isExplicit()) {
                throw new PsException(
                        ErrorCode.MALFORMED, "sequences are explicit for plain clients alone");
            }
            if (log.order(entry) == Order.EARLY) {
                log.addEarly(request, config.requests().inFlightBytes());
                return;
            }
        }
        take(request, log);
        for (ExchangeRequest next = log.pollEarly(); next != null; next = log.pollEarly()) {
            take(next, log);
        }
        if (cutsMayMove) {
            settleCuts();
        }
        if (changesSeen != effects.changes()) {
            answerParked();
        }
    }

    /**
     * Takes a request of a plain client, which waits for nobody. What it throws it throws before it
     * takes anything, but where memory runs out.
     */
    void handlePlain(ExchangeRequest request) {
        LogEntry entry = request.entry();
        if (entry.hasEntry()) {
            if (!entry.isExplicit()) {
                throw new PsException(
                        ErrorCode.MALFORMED, "sequences of plain clients are explicit");
            }
            takePlain(entry, request.session().plainLog());
        }
        if (entry.refusal() != null) {
            request.fail(entry.refusal());
        } else {
            request.answer(effects.clocks().lowest());
        }
    }

    /** Admits an entry of a plain client, and lets it have its effect at once. */
    private void takePlain(LogEntry entry, PlainLog log) {
        checkSavedRows();
        if (log.take(entry)) {
            effects.applyNow(entry);
            if (entry.refusal() != null) {
                log.refused(entry);
            }
        }
    }

    /** Takes a request; what fails is its answer. */
    private void take(ExchangeRequest request, WorkerLog log) {
        if (request.isOver()) {
            return;
        }
        LogEntry entry = request.entry();
        try {
            entry.refuseIfDropped(model);
            entry.refuse(log.failure());
            entry.refuse(effects.lostRound());
            if (entry.hasEntry()) {
                admit(entry, request.session().worker(), log);
            }
            if (!answered(request)) {
                parked.add(request);
            }
        } catch (RuntimeException | Error e) {
            request.fail(KnownError.of(e));
        }
    }

    /**
     * Lets rows change, whoever asks for it, unless too many had to be saved from that already.
     *
     * @throws PsException THROTTLED
     */
    void checkSavedRows() {
        if (cuts.isFull()) {
            throw new PsException(
                    ErrorCode.THROTTLED, "a cut is written, and too many rows change meanwhile");
        }
    }

    /**
     * Gives an entry its position in its worker's log, even if its pushes are refused, and lets it
     * have its effect, unless it is deferred behind a marker.
     *
     * @throws PsException THROTTLED, before it takes its position
     */
    private void admit(LogEntry entry, int worker, WorkerLog log) {
        if (log.order(entry) != Order.NEXT) {
            entry.refuse(log.refusal(entry));
            return; // a retry of what has been taken, or is deferred
        }
        if (entry.pushes() > 0) {
            checkSavedRows();
        }
        if (cuts.isDeferred(worker)) {
            cuts.defer(entry);
            log.defer(entry);
            log.take();
            if (entry.has(ExchangeHeader.REJOIN) && effects.clocks().isIdle(worker)) {
                joining.add(worker, joins(worker, entry));
                cuts.joined(worker, joining.clock(worker));
            }
        } else {
            if (effects.endsRound(entry, worker)) {
                checkSavedRows();
            }
            effects.budget().check(effects.clocks(), worker, entry);
            log.take();
            apply(entry, worker);
        }
        if (entry.refusal() != null) {
            log.refused(entry);
        }
    }

    /**
     * Returns the clock before which a worker does not begin that joins again, told twice or not.
     */
    private long joins(int worker, LogEntry entry) {
        long told = joining.clock(worker);
        if (told != WorkerClocks.INFINITE) {
            return told;
        }
        return entry.has(ExchangeHeader.CLOCK) ? entry.clock() : effects.clocks().rejoinsFrom();
    }

    private void apply(LogEntry entry, int worker) {
        if (entry.has(ExchangeHeader.REJOIN)) {
            joining.remove(worker);
        }
        if (!effects.apply(entry, worker)) {
            return;
        }
        cutsMayMove |= entry.has(ExchangeHeader.MARKER) || entry.has(ExchangeHeader.DEREGISTER);
        if (entry.has(ExchangeHeader.MARKER)) {
            try {
                long clock = Math.min(effects.clocks().clock(worker), joining.clock(worker));
                cuts.marker(worker, clock, entry.cut(), entry.completeCut());
            } catch (RuntimeException | Error e) {
                entry.refuse(KnownError.of(e));
            }
            changesSeen = -1; // pulls may wait for whoever is deferred now
        }
    }

    /** Answers a request if its pulls may be seen now, or if that fails; whether it did. */
    private boolean answered(ExchangeRequest request) {
        LogEntry entry = request.entry();
        entry.refuse(effects.lostRound());
        int worker = request.session().worker();
        if (entry.refusal() != null) {
            request.fail(entry.refusal());
        } else if (entry.pulls() == 0 || isReady(worker, entry.pullClock())) {
            boolean rejoins = entry.has(ExchangeHeader.REJOIN);
            request.answer(rejoins ? joins(worker, entry) : effects.clocks().lowest());
        } else {
            checkCutPending(worker, entry.pullClock());
            return false;
        }
        return true;
    }

    /**
     * Returns whether a worker may read at a clock. A worker that was idle at a marker and has
     * joined again behind it is idle by the clocks. It is waited for all the same, by itself too:
     * its pushes are deferred.
     */
    private boolean isReady(int worker, long pullClock) {
        return bound.ready(effects.clocks(), worker, pullClock)
                && (bound.readsAllClocks() || !bound.waitsFor(joining.lowest(), pullClock));
    }

    /**
     * Refuses a pull that waits for a worker deferred behind a barrier to which the caller has not
     * come: it would wait until the caller does.
     *
     * @throws PsException CUT_PENDING
     */
    private void checkCutPending(int worker, long pullClock) {
        long cut = cuts.blocking(worker, clock -> bound.waitsFor(clock, pullClock));
        if (cut > 0) {
            throw new PsException(
                    ErrorCode.CUT_PENDING,
                    "worker "
                            + worker
                            + " of model '"
                            + model
                            + "' has not come to barrier "
                            + cut
                            + ", behind which a worker it waits for is deferred");
        }
    }

    private void answerParked() {
        changesSeen = effects.changes();
        parked.answer(this::tryAnswer);
    }

    private void tryAnswer(ExchangeRequest request) {
        try {
            answered(request);
        } catch (RuntimeException | Error e) {
            request.fail(KnownError.of(e));
        }
    }

    /** Freezes what is complete and lets go on who is no longer deferred, until nothing moves. */
    private void settleCuts() {
        cutsMayMove = false;
        boolean moves = cuts.isPlaced();
        while (moves) {
            moves = false;
            CutLedger.Complete complete = cuts.complete(effects.clocks());
            if (complete != null) {
                freeze(complete);
                moves = true;
            }
            int worker = cuts.pollReleased();
            while (worker >= 0) {
                goOn(worker);
                changesSeen = -1; // its pulls may have waited for itself
                moves = true;
                worker = cuts.pollReleased();
            }
        }
    }

    private void freeze(CutLedger.Complete complete) {
        PsException lost = effects.lostRound();
        if (lost != null) {
            cuts.giveUp(complete.cut(), "a round is lost: " + lost.getMessage());
        } else {
            cuts.freeze(
                    complete,
                    new CutImage.Source(tables, effects.clocks(), effects.rounds()),
                    this::cutsMoved);
        }
    }

    /**
     * Lets the entries of a worker have their effect that is no longer deferred. They have been
     * acknowledged before: what goes wrong now, the worker's next requests are told, and nobody
     * else's.
     */
    private void goOn(int worker) {
        WorkerLog log = logs[worker];
        while (!cuts.isDeferred(worker)) {
            LogEntry entry = log.pollDeferred();
            if (entry == null) {
                return;
            }
            boolean refused = entry.refusal() != null;
            entry.refuseIfDropped(model);
            apply(entry, worker);
            if (!refused && entry.refusal() != null) {
                log.fail(entry.refusal());
            }
            cuts.release(entry);
        }
    }

    /** Returns whether something waits whose time may come to an end. */
    boolean isWaiting() {
        if (!parked.isEmpty() || cuts.isOpen()) {
            return true;
        }
        for (WorkerLog log : begun) {
            if (log.hasEarly()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Gives up what has waited too long: cuts, pulls, and entries before their turn.
     *
     * @param now on the loop's clock
     * @param marginNanos how long before its deadline a pull is answered: the answer has to travel
     */
    void expire(long now, long marginNanos) {
        for (WorkerLog log : begun) {
            log.expire(now);
        }
        if (cuts.expire(now + marginNanos)) {
            settleCuts();
        }
        answerParked();
        parked.answer(
                request -> {
                    if (now + marginNanos - request.deadline() >= 0) {
                        request.fail(notReady(request));
                    }
                });
    }

    private PsException notReady(ExchangeRequest request) {
        WorkerClocks clocks = effects.clocks();
        return new PsException(
                ErrorCode.NOT_READY,
                "worker "
                        + clocks.laggard()
                        + " of model '"
                        + model
                        + "' stands at clock "
                        + clocks.lowest()
                        + ", which holds back worker "
                        + request.session().worker()
                        + " at clock "
                        + request.entry().pullClock());
    }

    /** Refuses the pulls that wait to read a table which has been dropped. */
    void refuseDropped() {
        parked.answer(
                request -> {
                    request.entry().refuseIfDropped(model);
                    if (request.entry().refusal() != null) {
                        request.fail(request.entry().refusal());
                    }
                });
    }

    /** Refuses the pulls of sessions that have ended; a worker among them ends the cuts. */
    void end(Map<OwnerSession, PsException> ended) {
        parked.answer(
                request -> {
                    PsException reason = ended.get(request.session());
                    if (reason != null) {
                        request.fail(reason);
                    }
                });
        if (ended.keySet().stream().anyMatch(OwnerSession::isWorker)) {
            endCuts();
        }
    }

    /** Lets go of what waits of a connection that has closed: its client asks again. */
    void closed(Connection connection) {
        parked.closed(connection);
        for (WorkerLog log : begun) {
            log.closed(connection);
        }
    }

    /** Drops everything; what waits is told the reason. */
    void close(PsException reason) {
        parked.answer(request -> request.fail(reason));
        endCuts();
        effects.rounds().clear();
    }
}
