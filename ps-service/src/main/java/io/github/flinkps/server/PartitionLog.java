package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * What workers do to one partition: per worker one contiguous sequence of entries, each of which
 * takes effect once, and the vector of clocks. Under BSP the pushes of round c wait until every
 * clock has passed c, and are then applied as one step, summed in the order of workers. Confined to
 * the owner thread.
 */
final class PartitionLog {
    /** The clock of a worker that has finished or is idle. */
    static final long INFINITE = Long.MAX_VALUE;

    /**
     * Entries below the next expected one that are still acknowledged as done; older ones are
     * refused.
     */
    static final long WINDOW = 4096;

    private final Partition partition;
    private final ReadBound bound;
    private final RoundMerger merger;
    private final StepContext step = new StepContext();
    private final ArrayDeque<Round> rounds = new ArrayDeque<>();
    private long[] next;
    private long[] clocks;
    private long[] idleAt;
    private long lowest;

    PartitionLog(Partition partition, ReadBound bound, RoundMerger merger, int workers) {
        this.partition = partition;
        this.bound = bound;
        this.merger = merger;
        this.next = new long[workers];
        this.clocks = new long[workers];
        this.idleAt = new long[workers];
        Arrays.fill(idleAt, -1);
        this.lowest = workers == 0 ? INFINITE : 0;
    }

    /** Begins where another log of the same owner and model stands; for tables created later. */
    void startLike(PartitionLog other) {
        next = other.next.clone();
        clocks = other.clocks.clone();
        idleAt = other.idleAt.clone();
        lowest = other.lowest;
    }

    Partition partition() {
        return partition;
    }

    long lowest() {
        return lowest;
    }

    /** How an entry stands to the sequence expected of its worker. */
    enum Place {
        NEXT,
        DONE,
        EARLY
    }

    /**
     * Where an entry belongs.
     *
     * @throws PsException SEQUENCE_TOO_OLD below the window
     */
    static Place place(long expected, long sequence) {
        if (sequence == expected) {
            return Place.NEXT;
        }
        if (sequence > expected) {
            return Place.EARLY;
        }
        if (sequence < expected - WINDOW) {
            throw new PsException(
                    ErrorCode.SEQUENCE_TOO_OLD,
                    "entry " + sequence + " lies below the window that ends at " + expected);
        }
        return Place.DONE;
    }

    Place place(int worker, long sequence) {
        return place(next[worker], sequence);
    }

    /** Counts an entry of a worker as taken. */
    void take(int worker) {
        next[worker]++;
    }

    /** A push of a worker: applied now, or under BSP with its round. */
    void push(int worker, Contribution contribution) {
        if (!bound.rounds()) {
            apply(contribution, partition.step() + 1);
            return;
        }
        long clock = clocks[worker];
        Round round = null;
        for (Round open : rounds) {
            if (open.clock == clock) {
                round = open;
            }
        }
        if (round == null) {
            round = new Round(clock, clocks.length);
            rounds.add(round);
        }
        contribution.retain();
        round.add(worker, contribution);
    }

    /** A push from outside the workers: one step of its own, now. */
    void pushNow(Contribution contribution) {
        apply(contribution, partition.step() + 1);
        partition.advance(1);
    }

    private void apply(Contribution contribution, long number) {
        step.set(contribution.weight(), number);
        contribution.rows().apply(contribution.slice(), partition, contribution.values(), step);
    }

    /** A worker has finished a mini-batch. */
    void clock(int worker, long clock) {
        if (!bound.rounds()) {
            partition.advance(1);
        }
        set(worker, clock);
    }

    /** A worker has no rows for now. */
    void idle(int worker) {
        if (idleAt[worker] < 0 && clocks[worker] != INFINITE) {
            idleAt[worker] = clocks[worker];
            set(worker, INFINITE);
        }
    }

    /**
     * A worker has rows again: it stands where the lowest of the others does, or where it stood.
     */
    void rejoin(int worker) {
        if (idleAt[worker] >= 0) {
            long at = lowest == INFINITE ? idleAt[worker] : Math.max(idleAt[worker], lowest);
            idleAt[worker] = -1;
            clocks[worker] = at;
            lowest = Math.min(lowest, at);
        }
    }

    /** A worker has finished. */
    void deregister(int worker) {
        set(worker, INFINITE);
    }

    private void set(int worker, long clock) {
        long before = clocks[worker];
        clocks[worker] = clock;
        if (before == lowest) {
            long low = INFINITE;
            for (long other : clocks) {
                low = Math.min(low, other);
            }
            lowest = low;
            applyRounds();
        }
    }

    /**
     * Applies the rounds that every clock has passed; the partition's step is the number of such
     * rounds.
     */
    private void applyRounds() {
        if (!bound.rounds()) {
            return;
        }
        for (Round round = rounds.peek();
                round != null && round.clock < lowest;
                round = rounds.peek()) {
            rounds.poll();
            stepTo(round.clock);
            merger.apply(partition, round.byWorker, step, round.clock + 1);
            stepTo(round.clock + 1);
            round.release();
        }
        if (lowest != INFINITE) {
            stepTo(lowest);
        }
    }

    private void stepTo(long steps) {
        partition.advance(Math.max(0, steps - partition.step()));
    }

    boolean ready(int worker, long pullClock) {
        return worker < 0 || bound.ready(clocks, lowest, worker, pullClock);
    }

    /** The worker with the lowest clock, for messages. */
    int laggard() {
        int worker = 0;
        for (int i = 1; i < clocks.length; i++) {
            if (clocks[i] < clocks[worker]) {
                worker = i;
            }
        }
        return worker;
    }

    /** Drops what waits for its round. */
    void release() {
        rounds.forEach(Round::release);
        rounds.clear();
    }

    /** The pushes of one round; a worker may have several. */
    private static final class Round {
        private final long clock;
        private final Contribution[][] byWorker;

        Round(long clock, int workers) {
            this.clock = clock;
            this.byWorker = new Contribution[workers][];
        }

        void add(int worker, Contribution contribution) {
            Contribution[] before = byWorker[worker];
            int count = before == null ? 0 : before.length;
            Contribution[] grown =
                    count == 0 ? new Contribution[1] : Arrays.copyOf(before, count + 1);
            grown[count] = contribution;
            byWorker[worker] = grown;
        }

        void release() {
            for (Contribution[] contributions : byWorker) {
                if (contributions != null) {
                    for (Contribution contribution : contributions) {
                        contribution.release();
                    }
                }
            }
        }
    }
}
