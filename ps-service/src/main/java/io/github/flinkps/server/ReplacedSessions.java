package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Sessions that a newer attempt has ended, so that their clients are told why. Those of a name that
 * were noted first are forgotten when it has many, and none of other names. Confined to the thread
 * that owns it.
 */
final class ReplacedSessions {
    /** The most that are remembered of clients of one name. */
    static final int REMEMBERED = 1 << 14;

    /** The reason why a session has ended, which its client alone may know. */
    private record Reason(long client, PsException told) {}

    private final Map<Integer, Reason> reasons = new HashMap<>();

    /** The sessions that are remembered of each name, oldest first. */
    private final Map<String, ArrayDeque<Integer>> ofNames = new HashMap<>();

    /**
     * Notes that a session has ended, and returns what it is told.
     *
     * @param client that has opened it
     * @param access of that client to the model
     */
    PsException add(int session, long client, SessionAccess access, long fence) {
        PsException reason =
                new PsException(
                        ErrorCode.FENCED,
                        "session "
                                + session
                                + " of model '"
                                + access.model()
                                + "' has been replaced by a newer attempt, fence "
                                + fence);
        ArrayDeque<Integer> remembered =
                ofNames.computeIfAbsent(access.client(), name -> new ArrayDeque<>());
        reasons.put(session, new Reason(client, reason));
        remembered.add(session);
        if (remembered.size() > REMEMBERED) {
            reasons.remove(remembered.poll());
        }
        return reason;
    }

    /**
     * Returns what is thrown at a client whose session is not there: FENCED or UNKNOWN_SESSION.
     * Another client than that which had the session is told nothing of it.
     */
    PsException missing(int session, long client) {
        Reason reason = reasons.get(session);
        return reason != null && reason.client() == client
                ? new PsException(reason.told().code(), reason.told().getMessage())
                : new PsException(
                        ErrorCode.UNKNOWN_SESSION,
                        "session " + session + " is not registered here");
    }
}
