package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.RowsMessage;

/**
 * The effects of entries and commands at an owner thread, on the clocks of an attempt, its rounds,
 * and the rows. They are a function of these, in the order in which they are given, and of nothing
 * else. No time is read, and who may wait or has to come later is decided before. Confined to the
 * owner thread.
 */
final class ModelEffects {
    private final String model;
    private final ReadBound bound;
    private final boolean bsp;
    private final StepCount steps;
    private final OpenRounds rounds;
    private final RoundBudget budget;
    private WorkerClocks clocks;
    private PsException lostRound;

    /** The number of changes that may have let a waiting pull be answered, or refused. */
    private long changes;

    /**
     * Effects that begin with all clocks at 0.
     *
     * @param budgetBytes of pushes that may wait for their round
     */
    ModelEffects(String model, ReadBound bound, int workers, long budgetBytes) {
        this.model = model;
        this.bound = bound;
        this.bsp = bound.rounds();
        this.steps = new StepCount(bsp);
        this.rounds = new OpenRounds(workers, steps);
        this.budget = new RoundBudget(bsp ? budgetBytes : 0, workers);
        this.clocks = new WorkerClocks(workers);
    }

    /** Returns whether pushes wait for their round. */
    boolean isBsp() {
        return bsp;
    }

    WorkerClocks clocks() {
        return clocks;
    }

    StepCount steps() {
        return steps;
    }

    OpenRounds rounds() {
        return rounds;
    }

    RoundBudget budget() {
        return budget;
    }

    /** Returns a number that is raised with whatever may let a waiting pull be answered. */
    long changes() {
        return changes;
    }

    /**
     * Returns why the rows are not what was pushed to them, so that no cut may have them; or null.
     */
    PsException lostRound() {
        return lostRound;
    }

    /** Begins at these clocks, which are copied, with the rounds that have been restored. */
    void beginAt(WorkerClocks begun) {
        clocks = begun.copy();
        if (bsp && clocks.lowest() != WorkerClocks.INFINITE) {
            steps.roundsBefore(clocks.lowest());
        }
        changes++;
    }

    /** Forgets that a round was lost: the rows are those of a cut again. */
    void forgetLoss() {
        lostRound = null;
        changes++;
    }

    /**
     * Applies an entry of a worker; what fails refuses it. Of a marker nothing but its state is
     * looked at here.
     *
     * @return whether it had an effect
     */
    boolean apply(LogEntry entry, int worker) {
        try {
            PsException refusal = refusalForState(entry, worker);
            entry.refuse(refusal);
            if (refusal != null) {
                return false;
            }
            entry.prepare(clocks.clock(worker));
            push(entry, worker);
            advance(entry, worker);
            return true;
        } catch (RuntimeException | Error e) {
            entry.refuse(KnownError.of(e));
            return false;
        }
    }

    /** Returns why the worker may not do this now, so that it has no effect at all; or null. */
    private PsException refusalForState(LogEntry entry, int worker) {
        String why = null;
        if (clocks.isFinished(worker)) {
            boolean may = entry.has(ExchangeHeader.DEREGISTER) || entry.has(ExchangeHeader.MARKER);
            why = may && entry.pushes() == 0 ? null : " has deregistered";
        } else if (bsp && entry.has(ExchangeHeader.REJOIN) && !entry.has(ExchangeHeader.CLOCK)) {
            why = " must say at which clock it joins again: under BSP all are in one round";
        } else if (entry.has(ExchangeHeader.CLOCK)
                && clocks.isIdle(worker)
                && !entry.has(ExchangeHeader.REJOIN)) {
            why = " is idle: it must rejoin before its clock moves";
        } else if (bsp && entry.pushes() > 0 && clocks.isIdle(worker)) {
            why = " is idle: it must rejoin before it pushes, as it is in no round";
        }
        return why == null
                ? null
                : new PsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "worker " + worker + " of model '" + model + "'" + why);
    }

    private void push(LogEntry entry, int worker) {
        int pushes = entry.pushes();
        if (pushes == 0) {
            return;
        }
        long clock = clocks.clock(worker);
        budget.keep(clock, entry.bytes());
        try {
            for (int i = 0; i < pushes; i++) {
                if (bsp) {
                    rounds.keep(clock, worker, entry.push(i));
                } else {
                    push(entry.push(i));
                }
            }
        } catch (RuntimeException | Error e) {
            entry.refuse(KnownError.of(e)); // its clock counts all the same
        }
    }

    /**
     * Applies the pushes of a plain client, each slice as a step of its own; what fails refuses
     * those behind it too.
     */
    void applyNow(LogEntry entry) {
        try {
            entry.prepare(0);
            for (int i = 0; i < entry.pushes(); i++) {
                Push push = entry.push(i);
                for (int slice = 0; slice < push.rows().slices(); slice++) {
                    push.rows().log(slice).pushNow(push, slice);
                }
            }
        } catch (RuntimeException | Error e) {
            entry.refuse(KnownError.of(e));
        }
    }

    /**
     * Puts rows into a partition; with slots, its steps and rounds are at least those the rows have
     * seen.
     */
    void load(PartitionLog log, RowsMessage rows) {
        boolean withSlots = rows.slots().length > 0;
        if (withSlots) {
            log.loaded(rows.steps());
        }
        log.partition()
                .load(
                        rows.keys(),
                        rows.values(),
                        withSlots ? rows.slots() : null,
                        rows.keys().length);
    }

    private static void push(Push push) {
        RowSet rows = push.rows();
        for (int slice = 0; slice < rows.slices(); slice++) {
            rows.log(slice).push(push, slice);
        }
    }

    private void advance(LogEntry entry, int worker) {
        boolean grew = false;
        if (entry.has(ExchangeHeader.REJOIN)) {
            clocks.rejoin(worker, entry.has(ExchangeHeader.CLOCK) ? entry.clock() : 0);
        } else if (entry.has(ExchangeHeader.CLOCK)) {
            if (bsp) {
                budget.keep(clocks.clock(worker), 0);
                rounds.weigh(clocks.clock(worker), worker, entry.batchWeight());
            } else {
                steps.addBatch();
            }
            grew = clocks.advance(worker, entry.clock());
        }
        if (entry.has(ExchangeHeader.IDLE)) {
            grew |= clocks.idle(worker);
        }
        if (entry.has(ExchangeHeader.DEREGISTER)) {
            grew |= clocks.finish(worker);
        }
        if (grew || bound.readsAllClocks()) {
            changes++;
        }
        if (grew && bsp) {
            budget.letGo(clocks.lowest());
            Throwable lost = rounds.endBefore(clocks.lowest());
            if (lost != null) {
                lose(lost);
                entry.refuse(lostRound);
            }
        }
    }

    /** Returns whether a round with pushes would be over behind this entry of a worker. */
    boolean endsRound(LogEntry entry, int worker) {
        boolean goesOn =
                entry.has(ExchangeHeader.CLOCK)
                        || entry.has(ExchangeHeader.IDLE)
                        || entry.has(ExchangeHeader.DEREGISTER);
        return goesOn && rounds.oldest() <= clocks.lowest() && clocks.isLast(worker);
    }

    /** Ends all rounds with the pushes that are there, as if all workers had gone on. */
    void endRounds() {
        Throwable lost = rounds.endBefore(WorkerClocks.INFINITE);
        if (lost != null) {
            lose(lost);
        }
    }

    /** Says that a round is lost, and with it pushes of all workers that were acknowledged. */
    void lose(Throwable cause) {
        lostRound = lostRound == null ? KnownError.of(cause) : lostRound;
        changes++;
    }
}
