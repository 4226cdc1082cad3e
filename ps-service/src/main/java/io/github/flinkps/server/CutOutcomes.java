package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.transport.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The outcomes of the cuts of models at this server, and those who wait to hear of them. A cut is
 * durable when every owner has written its part, and failed as soon as one has given up. Confined
 * to the control loop.
 */
final class CutOutcomes {
    /** Cuts of a model that are remembered, so that no model makes those of others forgotten. */
    static final int REMEMBERED = 64;

    /** Most callers that wait for cuts of a model: each worker may ask again. */
    static final int MOST_WAITERS = 4 * ServerConfig.MOST_WORKERS;

    /** A cut of an attempt. */
    record Name(String model, long fence, long cut) {}

    /**
     * A caller that waits for a cut. One of the two callbacks is called, once, unless its
     * connection has gone.
     */
    record Waiter(
            Connection connection,
            long deadline,
            Consumer<List<byte[]>> durable,
            Consumer<PsException> failed) {}

    private static final class State {
        private final Map<Integer, byte[]> parts = new LinkedHashMap<>();
        private final List<Waiter> waiters = new ArrayList<>();
        private PsException failure;

        boolean isOpen() {
            return !waiters.isEmpty();
        }

        void fail(PsException reason) {
            waiters.forEach(waiter -> waiter.failed().accept(reason));
        }
    }

    private final int owners;

    /** The cuts of each model, those noted longest ago first. */
    private final Map<String, Map<Name, State>> models = new HashMap<>();

    CutOutcomes(int owners) {
        this.owners = owners;
    }

    private State state(Name name) {
        Map<Name, State> cuts =
                models.computeIfAbsent(name.model(), model -> new LinkedHashMap<>());
        State known = cuts.get(name);
        if (known == null) {
            Iterator<State> oldest = cuts.values().iterator();
            while (oldest.hasNext() && cuts.size() >= REMEMBERED) {
                if (!oldest.next().isOpen()) {
                    oldest.remove();
                }
            }
            known = new State();
            cuts.put(name, known);
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

    /**
     * Waits for a cut, or answers at once.
     *
     * @throws PsException THROTTLED where too many wait for cuts of the model
     */
    void await(Name name, Waiter waiter) {
        int waiting =
                models.getOrDefault(name.model(), Map.of()).values().stream()
                        .mapToInt(state -> state.waiters.size())
                        .sum();
        if (waiting >= MOST_WAITERS) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    waiting + " callers wait for cuts of model '" + name.model() + "'");
        }
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
        return all().anyMatch(State::isOpen);
    }

    private Stream<State> all() {
        return models.values().stream().flatMap(cuts -> cuts.values().stream());
    }

    /** Tells waiters whose time is up. */
    void expire(long now) {
        models.values().forEach(cuts -> cuts.forEach((name, state) -> expire(name, state, now)));
    }

    private void expire(Name name, State state, long now) {
        Removed.from(state.waiters, waiter -> now - waiter.deadline() >= 0)
                .forEach(waiter -> waiter.failed().accept(late(name, state)));
    }

    /** Lets go of whoever waits for an answer over a connection that is gone; it asks again. */
    void closed(Connection connection) {
        all().forEach(state -> state.waiters.removeIf(each -> each.connection() == connection));
    }

    /** Forgets the cuts of a model that is dropped, and tells who waits for them. */
    void forget(String model) {
        Map<Name, State> cuts = models.remove(model);
        if (cuts != null) {
            PsException gone =
                    new PsException(
                            ErrorCode.UNKNOWN_MODEL, "model '" + model + "' has been dropped");
            cuts.values().forEach(state -> state.fail(gone));
        }
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
        Map<Name, State> cuts = models.getOrDefault(model, Map.of());
        for (Name name : List.copyOf(cuts.keySet())) {
            if (name.fence() < fence) {
                cuts.remove(name).fail(gone);
            }
        }
    }

    /** Tells all who wait. */
    void close() {
        PsException closing = new PsException(ErrorCode.CLOSED, "the server closes");
        List<State> all = all().toList();
        models.clear();
        all.forEach(state -> state.fail(closing));
    }
}
