package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sessions that a newer attempt has ended, so that they are told why; the oldest are forgotten.
 * Confined to the thread that owns it.
 */
final class ReplacedSessions {
    private static final int REMEMBERED = 1 << 14;

    private final Map<Integer, PsException> reasons =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, PsException> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /** Notes that a session has ended, and returns what it is told. */
    PsException add(int session, String model, long fence) {
        PsException reason =
                new PsException(
                        ErrorCode.FENCED,
                        "session "
                                + session
                                + " of model '"
                                + model
                                + "' has been replaced by a newer attempt, fence "
                                + fence);
        reasons.put(session, reason);
        return reason;
    }

    /** Returns what is thrown at a session that is not there: FENCED or UNKNOWN_SESSION. */
    PsException missing(int session) {
        PsException reason = reasons.get(session);
        return reason != null
                ? new PsException(reason.code(), reason.getMessage())
                : new PsException(
                        ErrorCode.UNKNOWN_SESSION,
                        "session " + session + " is not registered here");
    }
}
