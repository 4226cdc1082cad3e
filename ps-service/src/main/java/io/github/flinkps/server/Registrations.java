package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.security.AccessRules;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The sessions of a server and what they belong to. Plain sessions of a client without connections
 * are let go of after a while. Confined to the control loop.
 */
final class Registrations {
    /** The most sessions that a client may have. */
    static final int MOST_OF_CLIENT = 4096;

    /** The most sessions that all clients of one name may have. */
    static final int MOST_OF_NAME = 16384;

    /** The time for which a session that has only read is kept for a client without connections. */
    static final long READER_NANOS = 60_000_000_000L;

    /** The time for which one that has written is kept, as a request may come again. */
    static final long WRITER_NANOS = 3_600_000_000_000L;

    /** A session, which its client alone may use; the worker is negative for one without. */
    record Registration(long client, String model, long fence, int worker, SessionAccess access) {
        private boolean isOver(long nanosWithoutClient) {
            return fence == 0
                    && worker < 0
                    && nanosWithoutClient >= (access.hasWritten() ? WRITER_NANOS : READER_NANOS);
        }
    }

    private final Map<Integer, Registration> sessions = new HashMap<>();
    private final Map<Long, Integer> ofClients = new HashMap<>();
    private final Map<String, Integer> ofNames = new HashMap<>();
    private final Map<Long, Integer> connections = new HashMap<>();

    /** The time at which clients with sessions have lost their last connection. */
    private final Map<Long, Long> left = new HashMap<>();

    private final ReplacedSessions replaced = new ReplacedSessions();
    private int next = 1;

    /**
     * Returns a new session's number.
     *
     * @throws PsException THROTTLED if its client, or those of its name, have too many
     */
    int add(Registration registration) {
        String name = registration.access().client();
        checkRoom(ofClients.getOrDefault(registration.client(), 0), MOST_OF_CLIENT, "a client");
        if (name != null) {
            checkRoom(ofNames.getOrDefault(name, 0), MOST_OF_NAME, "clients '" + name + "'");
            ofNames.merge(name, 1, Integer::sum);
        }
        ofClients.merge(registration.client(), 1, Integer::sum);
        int session = next++;
        sessions.put(session, registration);
        return session;
    }

    private static void checkRoom(int has, int most, String who) {
        if (has >= most) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "too many sessions of " + who + " are open here, of at most " + most);
        }
    }

    /**
     * Returns what a session belongs to.
     *
     * @throws PsException UNKNOWN_SESSION, also if another client has opened it, or FENCED
     */
    Registration get(int session, long client) {
        Registration found = sessions.get(session);
        if (found == null) {
            throw replaced.missing(session, client);
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
        remove(of -> of.model().equals(model) && of.fence() != 0 && of.fence() < fence)
                .forEach(
                        (session, of) ->
                                ended.put(
                                        session,
                                        replaced.add(session, of.client(), of.access(), fence)));
        return ended;
    }

    private Map<Integer, Registration> remove(Predicate<Registration> which) {
        Map<Integer, Registration> removed = new LinkedHashMap<>();
        for (Iterator<Map.Entry<Integer, Registration>> all = sessions.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<Integer, Registration> each = all.next();
            Registration of = each.getValue();
            if (which.test(of)) {
                removed.put(each.getKey(), of);
                all.remove();
                countDown(ofClients, of.client());
                countDown(ofNames, of.access().client());
            }
        }
        return removed;
    }

    /** Takes one off a number; does nothing without one. Returns whether that was the last. */
    private static <K> boolean countDown(Map<K, Integer> numbers, K key) {
        return numbers.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1)
                == null;
    }

    /** Looks up again what the clients of all sessions may do. */
    void lookUpAccess(AccessRules now) {
        sessions.values().forEach(of -> of.access().lookUp(now));
    }

    void removeAll(String model) {
        remove(of -> of.model().equals(model));
    }

    /** Notes that a client has a connection more. */
    void connected(long client) {
        connections.merge(client, 1, Integer::sum);
        left.remove(client);
    }

    /** Notes that a client has a connection less. */
    void disconnected(long client, long now) {
        if (countDown(connections, client) && ofClients.containsKey(client)) {
            left.put(client, now);
        }
    }

    /** Returns whether some clients with sessions have no connection. */
    boolean areAnyLeft() {
        return !left.isEmpty();
    }

    /** Removes sessions whose clients have been without connections for long, and returns them. */
    Set<Integer> letGo(long now) {
        Map<Integer, Registration> gone =
                remove(
                        of ->
                                left.containsKey(of.client())
                                        && of.isOver(now - left.get(of.client())));
        left.entrySet()
                .removeIf(
                        each ->
                                !ofClients.containsKey(each.getKey())
                                        || now - each.getValue() >= WRITER_NANOS);
        return gone.keySet();
    }
}
