package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The outcomes of the cuts of models at this server, and those who wait to hear of them. A cut is
 * durable when every owner has written its part, and failed as soon as one has given up. Confined
 * to the control loop.
 */
final class CutOutcomes {
    private static final int REMEMBERED = 1024;

    /** A cut of an attempt. */
    record Name(String model, long fence, long cut) {}

    /** A caller that waits for a cut. One of the two callbacks is called, once. */
    record Waiter(long deadline, Consumer<List<byte[]>> durable, Consumer<PsException> failed) {}

    private static final class State {
        private final Map<Integer, byte[]> parts = new LinkedHashMap<>();
        private final List<Waiter> waiters = new ArrayList<>();
        private PsException failure;

        boolean isOpen() {
            return !waiters.isEmpty();
        }
    }

    private final int owners;
    private final Map<Name, State> cuts = new LinkedHashMap<>();

    CutOutcomes(int owners) {
        this.owners = owners;
    }

    private State state(Name name) {
        State known = cuts.computeIfAbsent(name, key -> new State());
        if (cuts.size() > REMEMBERED) {
            Iterator<State> oldest = cuts.values().iterator();
            while (oldest.hasNext() && cuts.size() > REMEMBERED) {
                if (!oldest.next().isOpen()) {
                    oldest.remove();
                }
            }
        }
        return known;
    }

    /** Notes that an owner's part is durable, and tells the waiters if it is the last. */
    void written(Name name, int owner, byte[] part) {
        State state = state(name);
        if (state.failure == null) {
            state.parts.put(owner, part);
            answer(state);
        }
    }

    /**
     * Notes that the cut is given up, and tells its waiters.
     *
     * @return whether that is news
     */
    boolean failed(Name name, String reason) {
        State state = state(name);
        if (state.failure != null) {
            return false;
        }
        state.failure =
                new PsException(
                        ErrorCode.CUT_FAILED,
                        "cut " + name.cut() + " of model '" + name.model() + "': " + reason);
        state.parts.clear();
        answer(state);
        return true;
    }

    /** Waits for a cut, or answers at once. */
    void await(Name name, Waiter waiter) {
        State state = state(name);
        state.waiters.add(waiter);
        answer(state);
    }

    private void answer(State state) {
        if (state.failure == null && state.parts.size() < owners) {
            return;
        }
        List<byte[]> parts = List.copyOf(state.parts.values());
        for (Waiter waiter : Removed.from(state.waiters, all -> true)) {
            if (state.failure != null) {
                waiter.failed().accept(state.failure);
            } else {
                waiter.durable().accept(parts);
            }
        }
    }

    boolean hasWaiters() {
        return cuts.values().stream().anyMatch(State::isOpen);
    }

    /** Tells waiters whose time is up. */
    void expire(long now) {
        cuts.forEach(
                (name, state) ->
                        Removed.from(state.waiters, waiter -> now - waiter.deadline() >= 0)
                                .forEach(waiter -> waiter.failed().accept(late(name, state))));
    }

    private PsException late(Name name, State state) {
        return new PsException(
                ErrorCode.TIMEOUT,
                "cut "
                        + name.cut()
                        + " of model '"
                        + name.model()
                        + "': "
                        + state.parts.size()
                        + " of "
                        + owners
                        + " owner threads have written their part");
    }

    /** Forgets the cuts of a model before a fence, and tells who waits for them. */
    void fence(String model, long fence) {
        PsException gone =
                new PsException(ErrorCode.FENCED, "model '" + model + "' has been taken over");
        for (Name name : List.copyOf(cuts.keySet())) {
            if (name.model().equals(model) && name.fence() < fence) {
                cuts.remove(name).waiters.forEach(waiter -> waiter.failed().accept(gone));
            }
        }
    }

    /** Tells all who wait. */
    void close() {
        PsException closing = new PsException(ErrorCode.CLOSED, "the server closes");
        List<State> all = List.copyOf(cuts.values());
        cuts.clear();
        all.forEach(s -> s.waiters.forEach(w -> w.failed().accept(closing)));
    }
}
