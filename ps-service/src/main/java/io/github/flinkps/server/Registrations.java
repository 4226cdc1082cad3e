package io.github.flinkps.server;

import io.github.flinkps.common.PsException;
import java.util.HashMap;
import java.util.Map;

/** The sessions of a server and what they belong to. Confined to the control loop. */
final class Registrations {
    /** A session; the worker is negative for one without. */
    record Registration(String model, long fence, int worker) {}

    private final Map<Integer, Registration> sessions = new HashMap<>();
    private final ReplacedSessions replaced = new ReplacedSessions();
    private int next = 1;

    /** A new session's number. */
    int add(String model, long fence, int worker) {
        int session = next++;
        sessions.put(session, new Registration(model, fence, worker));
        return session;
    }

    /**
     * What a session belongs to.
     *
     * @throws io.github.flinkps.common.PsException UNKNOWN_SESSION or FENCED
     */
    Registration get(int session) {
        Registration found = sessions.get(session);
        if (found == null) {
            throw replaced.missing(session);
        }
        return found;
    }

    /**
     * Ends the sessions of all attempts of the model before that of the fence; returns them with
     * what they are told.
     */
    Map<Integer, PsException> replace(String model, long fence) {
        Map<Integer, PsException> ended = new HashMap<>();
        sessions.forEach(
                (session, of) -> {
                    if (of.model().equals(model) && of.fence() != 0 && of.fence() < fence) {
                        ended.put(session, replaced.add(session, model, fence));
                    }
                });
        sessions.keySet().removeAll(ended.keySet());
        return ended;
    }

    void removeAll(String model) {
        sessions.values().removeIf(of -> of.model().equals(model));
    }
}
