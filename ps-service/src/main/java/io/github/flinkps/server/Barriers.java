package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.transport.Connection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Sessions waiting for each other by name. Confined to the control loop. */
final class Barriers {
    private static final int MOST = 1024;
    private static final int REMEMBERED = 4096;

    private record Arrival(Connection connection, long correlation, long deadline) {
        void answer() {
            connection.send(
                    new ControlWriter(connection.allocator())
                            .response(ApiKey.BARRIER, correlation));
        }

        void fail(ErrorCode code, String message) {
            connection.send(
                    ErrorFrame.of(
                            connection.allocator(),
                            ApiKey.BARRIER.id(),
                            correlation,
                            code,
                            message));
        }
    }

    /** An arrival whose answer may be lost: it comes again with the same correlation. */
    private record Answered(int session, long correlation) {}

    private final Map<String, Map<Integer, Arrival>> waiting = new HashMap<>();
    private final Set<Answered> answered = new LinkedHashSet<>();

    /** A session arrives; a second arrival of the same session replaces its first. */
    void arrive(
            String model,
            AdminMessages.Barrier barrier,
            Connection connection,
            long correlation,
            long deadline) {
        if (barrier.parties() < 1) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "parties must be at least 1, not " + barrier.parties());
        }
        if (answered.contains(new Answered(barrier.session(), correlation))) {
            new Arrival(connection, correlation, deadline).answer();
            return;
        }
        String name = model + "/" + barrier.name();
        if (waiting.size() >= MOST && !waiting.containsKey(name)) {
            throw new PsException(ErrorCode.THROTTLED, "too many barriers are open");
        }
        Map<Integer, Arrival> arrivals =
                waiting.computeIfAbsent(name, key -> new LinkedHashMap<>());
        arrivals.put(barrier.session(), new Arrival(connection, correlation, deadline));
        if (arrivals.size() >= barrier.parties()) {
            waiting.remove(name);
            arrivals.forEach(this::answer);
        }
    }

    private void answer(int session, Arrival arrival) {
        answered.add(new Answered(session, arrival.correlation()));
        if (answered.size() > REMEMBERED) {
            answered.remove(answered.iterator().next());
        }
        arrival.answer();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Fails arrivals whose deadline has passed. */
    void expire(long now) {
        for (Iterator<Map.Entry<String, Map<Integer, Arrival>>> names =
                        waiting.entrySet().iterator();
                names.hasNext(); ) {
            Map.Entry<String, Map<Integer, Arrival>> barrier = names.next();
            int arrived = barrier.getValue().size();
            barrier.getValue()
                    .values()
                    .removeIf(
                            arrival -> {
                                boolean late = now - arrival.deadline() >= 0;
                                if (late) {
                                    arrival.fail(
                                            ErrorCode.TIMEOUT,
                                            "barrier "
                                                    + barrier.getKey()
                                                    + ": only "
                                                    + arrived
                                                    + " arrived");
                                }
                                return late;
                            });
            if (barrier.getValue().isEmpty()) {
                names.remove();
            }
        }
    }

    /** Fails the arrivals of sessions that a newer attempt has replaced. */
    void refuse(Map<Integer, PsException> ended) {
        waiting.values()
                .forEach(
                        arrivals ->
                                arrivals.entrySet().removeIf(arrival -> refused(ended, arrival)));
        waiting.values().removeIf(Map::isEmpty);
    }

    private static boolean refused(
            Map<Integer, PsException> ended, Map.Entry<Integer, Arrival> arrival) {
        PsException reason = ended.get(arrival.getKey());
        if (reason != null) {
            arrival.getValue().fail(reason.code(), reason.getMessage());
        }
        return reason != null;
    }

    /** Fails everything. */
    void close() {
        waiting.values()
                .forEach(
                        arrivals ->
                                arrivals.values()
                                        .forEach(a -> a.fail(ErrorCode.CLOSED, "server closes")));
        waiting.clear();
    }
}
