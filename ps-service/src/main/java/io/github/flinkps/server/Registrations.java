package io.github.flinkps.server;

import io.github.flinkps.common.PsException;
import java.util.HashMap;
import java.util.Map;

/** The sessions of a server and what they belong to. Confined to the control loop. */
final class Registrations {
    /** A session, which its client alone may use; the worker is negative for one without. */
    record Registration(long client, String model, long fence, int worker, SessionAccess access) {}

    private final Map<Integer, Registration> sessions = new HashMap<>();
    private final ReplacedSessions replaced = new ReplacedSessions();
    private int next = 1;

    /** Returns a new session's number. */
    int add(Registration registration) {
        int session = next++;
        sessions.put(session, registration);
        return session;
    }

    /**
     * Returns what a session belongs to.
     *
     * @throws PsException UNKNOWN_SESSION, also if another client has opened it, or FENCED
     */
    Registration get(int session, long client) {
        Registration found = sessions.get(session);
        if (found == null) {
            throw replaced.missing(session);
        }
        OwnerSession.checkClient(session, found.client(), client);
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

    /** Looks up again what the clients of all sessions may do. */
    void lookUpAccess() {
        sessions.values().forEach(of -> of.access().lookUp());
    }

    void removeAll(String model) {
        sessions.values().removeIf(of -> of.model().equals(model));
    }
}
