package io.github.flinkps.simulation;

import io.github.flinkps.simulation.JobCheckpoint.WorkerState;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * The source of a worker of a simulated job, and the channel between them: rows in an order, each
 * some time after the one before, with barriers in between.
 */
final class RowSource {
    private static final int CHANNEL = 4;
    private static final long MILLI = 1_000_000;

    /** A row, or a barrier: the one that is not has a number below 0 or 0. */
    record Item(int row, long barrier) {}

    /** The worker behind the channel. */
    interface Reader {
        /** Returns whether it still listens. */
        boolean isAlive();

        /** Takes note that there is something in the channel. */
        void hear();
    }

    private final VirtualTime time;
    private final Random random;
    private final BooleanSupplier starves;
    private final Reader reader;
    private final ArrayDeque<Item> channel = new ArrayDeque<>();
    private final long pause;
    private int[] order = {};
    private int emitted;
    private long quietUntil;

    /**
     * Creates a source that has no rows yet.
     *
     * @param starves says whether there is no row for now
     */
    RowSource(VirtualTime time, Random random, BooleanSupplier starves, Reader reader) {
        this.time = time;
        this.random = random;
        this.starves = starves;
        this.reader = reader;
        this.pause = (1L << random.nextInt(8)) * MILLI / 8;
    }

    /** Begins with the rows that the worker has not read; now and then there are none for long. */
    void begin(WorkerState state) {
        order = state.order();
        emitted = state.read();
        if (random.nextInt(8) == 0) {
            at(500 * MILLI);
        } else {
            emit();
        }
    }

    int[] order() {
        return order;
    }

    /** Returns whether all rows are in the channel, or were. */
    boolean hasEnded() {
        return emitted == order.length;
    }

    /** Has no rows for so long, except those in the channel. */
    void beQuiet(long nanos) {
        quietUntil = time.now() + nanos;
    }

    private void at(long wait) {
        time.at(
                time.now() + wait,
                () -> {
                    if (reader.isAlive()) {
                        emit();
                    }
                });
    }

    private void emit() {
        if (!hasEnded()
                && channel.size() < CHANNEL
                && time.now() >= quietUntil
                && !starves.getAsBoolean()) {
            put(new Item(order[emitted++], 0));
        }
        if (!hasEnded()) {
            at((long) (pause * -Math.log(1 - random.nextDouble())) + 1);
        }
    }

    /** Lets a barrier follow the rows that are in the channel. */
    void barrier(long n) {
        put(new Item(-1, n));
    }

    private void put(Item item) {
        channel.add(item);
        time.at(
                time.now() + 1,
                () -> {
                    if (reader.isAlive()) {
                        reader.hear();
                    }
                });
    }

    boolean isEmpty() {
        return channel.isEmpty();
    }

    /** Returns whether the next item is a barrier; there must be one. */
    boolean isAtBarrier() {
        return channel.peek().barrier() > 0;
    }

    Item poll() {
        return channel.poll();
    }
}
