package io.github.flinkps.simulation;

import io.github.flinkps.transport.Loop;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** A clock and the events to come, by time; events of one time come in an order drawn by lot. */
final class VirtualTime {
    private record Event(long at, int lot, long number, Runnable action)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            int byLot = byTime != 0 ? byTime : Integer.compare(lot, other.lot);
            return byLot != 0 ? byLot : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Random random;
    private final Runnable afterEach;
    private SimulatedLoop running;
    private long now = 1;
    private long number;

    /** A bug that was found where nobody could be told of it. */
    private AssertionError bug;

    /**
     * Creates a clock at 1 without events.
     *
     * @param afterEach runs after each event
     */
    VirtualTime(Random random, Runnable afterEach) {
        this.random = random;
        this.afterEach = afterEach;
    }

    long now() {
        return now;
    }

    void at(long time, Runnable action) {
        events.add(new Event(Math.max(now, time), random.nextInt(), number++, action));
    }

    /** A delay of 1 to about {@code most} nanoseconds, mostly short. */
    long delay(long most) {
        return 1 + (long) (most * Math.pow(random.nextDouble(), 4));
    }

    /**
     * Keeps the loop that is running, if there is one, busy: its next commands come that much
     * later.
     */
    void busy(long nanos) {
        if (running != null) {
            running.last = Math.max(running.last, now) + nanos;
        }
    }

    /** Runs events until the condition holds; returns false when time is up first. */
    boolean runUntil(BooleanSupplier done, long limit) {
        while (!done.getAsBoolean()) {
            Event event = events.peek();
            if (event == null || event.at > limit) {
                now = Math.max(now, limit);
                return false;
            }
            events.remove();
            now = event.at;
            event.action.run();
            if (bug != null) {
                throw bug;
            }
            afterEach.run();
        }
        return true;
    }

    SimulatedLoop loop(String name) {
        return new SimulatedLoop(name);
    }

    /** A thread that is none: its commands are events, in order. */
    final class SimulatedLoop implements Loop {
        private static final long MOST_DELAY = 200_000;

        private final String name;
        private long last;

        SimulatedLoop(String name) {
            this.name = name;
        }

        @Override
        public boolean inLoop() {
            return running == this;
        }

        @Override
        public void execute(Runnable command) {
            last = Math.max(last + 1, now + delay(MOST_DELAY));
            at(last, () -> run(command));
        }

        /** Runs a command as this loop, now. */
        void run(Runnable command) {
            SimulatedLoop before = running;
            running = this;
            try {
                command.run();
            } finally {
                running = before;
            }
        }

        @Override
        public Runnable schedule(Runnable command, long delayNanos) {
            boolean[] cancelled = {false};
            at(
                    now + Math.max(0, delayNanos),
                    () -> {
                        if (!cancelled[0]) {
                            run(command);
                        }
                    });
            return () -> cancelled[0] = true;
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void report(Throwable problem) {
            if (problem instanceof AssertionError found) {
                bug = found;
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
