package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec.Kind;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.cut.CutClock;
import io.github.flinkps.model.cut.CutManifest;
import io.github.flinkps.model.cut.CutPartition;
import io.github.flinkps.model.cut.CutReader;
import io.github.flinkps.model.cut.CutRows;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.model.cut.RoundPush;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.transport.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Rolls the partitions of a server to a cut: reads on the writing thread, and hands each block of
 * rows to the loop of the partition's owner before it reads the next. What holds the state runs on
 * the writing thread.
 */
final class CutRestore {
    /** Receives the clocks of the workers, or what went wrong; called on the writing thread. */
    interface End {
        void ended(long[] clocks, Throwable failure);
    }

    /** A partition that an owner owns. */
    record Owned(int owner, String table, int partition) {}

    /**
     * The state that a partition takes over from a cut beside its rows.
     *
     * @param bsp whether its workers stood in rounds
     * @param workers clocks of the cut, whose rounds the pushes are of
     */
    record Rest(CutPartition counts, boolean bsp, WorkerClocks workers, List<RoundPush> rounds) {}

    /**
     * The attempt that is rolled back.
     *
     * @param workers of the attempt
     * @param kept whether rows stay as they are, and only clocks are those of the cut
     */
    record Attempt(int workers, boolean kept) {}

    /** An owner that is ready to take rows. */
    private record Cleared(OwnerRestore restore, Map<TableSpec, List<Integer>> partitions) {}

    private final CutWork work;
    private final List<Owner> owners;
    private final List<CutContext> contexts;
    private final AdminMessages.BeginCuts message;
    private final Attempt attempt;
    private final End end;
    private final ArrayDeque<Owned> left = new ArrayDeque<>();
    private final Map<Owned, List<RoundPush>> rounds = new HashMap<>();
    private final List<OwnerRestore> restores = new ArrayList<>();
    private CutReader reader;
    private WorkerClocks clocks;
    private CutRows rows;

    CutRestore(
            CutWork work,
            List<Owner> owners,
            List<CutContext> contexts,
            AdminMessages.BeginCuts message,
            Attempt attempt,
            End end) {
        this.work = work;
        this.owners = owners;
        this.contexts = contexts;
        this.message = message;
        this.attempt = attempt;
        this.end = end;
    }

    /** Begins the restore. Any thread may call it. */
    void start() {
        step(this::open);
    }

    /** Runs a step on the writing thread; what it throws ends the restore. */
    private void step(Runnable step) {
        run(
                work.thread(),
                () -> {
                    try {
                        step.run();
                    } catch (RuntimeException | Error e) {
                        over(null, e);
                    }
                });
    }

    private void run(Executor executor, Runnable command) {
        try {
            executor.execute(command);
        } catch (RejectedExecutionException e) {
            over(null, new PsException(ErrorCode.CLOSED, "the server closes", e));
        }
    }

    /** Runs something at an owner, and then a step here. */
    private <T> void at(int owner, Supplier<T> command, Consumer<T> then) {
        Loop loop = owners.get(owner).loop();
        run(
                loop,
                () -> {
                    try {
                        // A newer attempt may have come since the step before.
                        owners.get(owner).present(contexts.get(owner));
                        T result = command.get();
                        step(() -> then.accept(result));
                    } catch (RuntimeException | Error e) {
                        step(
                                () -> {
                                    throw e;
                                });
                    }
                });
    }

    private void at(int owner, Runnable command, Runnable then) {
        this.<Boolean>at(
                owner,
                () -> {
                    command.run();
                    return true;
                },
                done -> then.run());
    }

    private void open() {
        reader =
                CutReader.open(
                        work.storage(),
                        new ManifestRef(message.manifest(), (int) message.checksum()),
                        work.allocator());
        CutManifest manifest = reader.manifest();
        clocks = clocks(manifest.clocks());
        if (attempt.kept()) {
            begin(0);
        } else {
            clear(0);
        }
    }

    private static WorkerClocks clocks(List<CutClock> of) {
        long[] at = new long[of.size()];
        long[] idleAt = new long[at.length];
        for (int worker = 0; worker < at.length; worker++) {
            CutClock clock = of.get(worker);
            boolean active = clock.state() == CutClock.State.ACTIVE;
            at[worker] = active ? clock.clock() : WorkerClocks.INFINITE;
            idleAt[worker] = clock.state() == CutClock.State.IDLE ? clock.clock() : -1;
        }
        return WorkerClocks.of(at, idleAt);
    }

    /** Clears the partitions of one owner after the other, and learns which they are. */
    private void clear(int owner) {
        if (owner == owners.size()) {
            reader.readRounds(this::keep);
            nextPartition();
            return;
        }
        CutContext context = contexts.get(owner);
        at(
                owner,
                () -> {
                    OwnerRestore restore = owners.get(owner).beginRestore(context);
                    return new Cleared(restore, restore.partitions());
                },
                cleared -> {
                    restores.add(cleared.restore());
                    cleared.partitions().forEach((spec, of) -> add(owner, spec, of));
                    clear(owner + 1);
                });
    }

    private void add(int owner, TableSpec spec, List<Integer> partitions) {
        int index = reader.indexOf(spec.name());
        TableSpec saved = reader.manifest().tables().get(index).layout().spec();
        if (!saved.equals(spec)) {
            throw new PsException(
                    ErrorCode.CONFLICTING_DEFINITION,
                    "table '"
                            + spec.name()
                            + "' is "
                            + spec
                            + ", in "
                            + message.manifest()
                            + " "
                            + saved);
        }
        partitions.forEach(partition -> left.add(new Owned(owner, spec.name(), partition)));
    }

    private void keep(RoundPush push) {
        String table = reader.manifest().tables().get(push.table()).layout().spec().name();
        for (Owned owned : left) {
            if (owned.table().equals(table) && owned.partition() == push.partition()) {
                rounds.computeIfAbsent(owned, key -> new ArrayList<>()).add(push);
            }
        }
    }

    private void nextPartition() {
        Owned owned = left.peek();
        if (owned == null) {
            begin(0);
            return;
        }
        rows = reader.rows(reader.indexOf(owned.table()), owned.partition());
        nextBlock(owned);
    }

    private void nextBlock(Owned owned) {
        RowBlock block = rows.next();
        OwnerRestore restore = restores.get(owned.owner());
        if (block != null) {
            at(
                    owned.owner(),
                    () -> restore.rows(owned.table(), owned.partition(), block),
                    () -> nextBlock(owned));
            return;
        }
        rows.close();
        rows = null;
        left.remove();
        int table = reader.indexOf(owned.table());
        Rest rest =
                new Rest(
                        reader.manifest().tables().get(table).partitions().get(owned.partition()),
                        reader.manifest().header().consistency().kind() == Kind.BSP,
                        clocks,
                        rounds.getOrDefault(owned, List.of()));
        at(
                owned.owner(),
                () -> restore.rest(owned.table(), owned.partition(), rest),
                this::nextPartition);
    }

    /** Begins cuts at the owners from this one on, at the attempt's clocks; all rows are there. */
    private void begin(int owner) {
        WorkerClocks from = clocksOfAttempt();
        if (owner == owners.size()) {
            over(from.clocks(), null);
            return;
        }
        at(
                owner,
                () -> beginAt(owners.get(owner), contexts.get(owner), from),
                begun -> begin(owner + 1));
    }

    private long[] beginAt(Owner owner, CutContext context, WorkerClocks from) {
        return attempt.kept()
                ? owner.beginCuts(context, from)
                : owner.beginCuts(context, restores.get(context.share().owner()), from);
    }

    /**
     * Returns the clocks at which the attempt's workers begin. If they are as many as at the cut,
     * each begins where it was. A worker that was idle begins with the slowest, but not behind
     * where it had been. If they are not as many, rows come to other workers, and all begin at the
     * highest clock.
     */
    private WorkerClocks clocksOfAttempt() {
        long lowest = clocks.lowest() == WorkerClocks.INFINITE ? 0 : clocks.lowest();
        long highest = 0;
        long[] at = clocks.clocks().clone();
        for (int worker = 0; worker < at.length; worker++) {
            if (clocks.isIdle(worker)) {
                at[worker] = Math.max(lowest, clocks.idleAt()[worker]);
            }
            highest = Math.max(highest, clocks.isFinished(worker) ? 0 : at[worker]);
        }
        if (at.length != attempt.workers()) {
            at = new long[attempt.workers()];
            Arrays.fill(at, highest);
        }
        long[] active = new long[attempt.workers()];
        Arrays.fill(active, -1);
        return WorkerClocks.of(at, active);
    }

    private void over(long[] result, Throwable failure) {
        if (rows != null) {
            rows.close();
            rows = null;
        }
        if (reader != null) {
            reader.close();
            reader = null;
        }
        end.ended(result, failure);
    }
}
