package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.concurrent.TimeUnit;

/**
 * Watches whether the server at the other end of a connection still says something: a machine that
 * has vanished sends no word of it. Guarded by the link's lock.
 */
final class Heartbeat {
    /** The action that is due for a server. */
    enum Due {
        NOTHING,
        /** Ask whether it is there. */
        PING,
        /** Take it for gone. */
        GIVE_UP
    }

    private final long timeoutNanos;
    private long heard;
    private boolean asked;
    private long progress;

    /** The silence for which the server was taken for gone; null once it has said something. */
    private PsException silence;

    /**
     * @param timeoutNanos how long a server may say nothing though something is awaited of it
     */
    Heartbeat(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }

    /** Notes that the server has said something. */
    void heard(long now) {
        idle(now);
        silence = null;
    }

    /** Notes how far frames on their way have come: one may take longer than the silence. */
    void progress(long now, long nanoTime) {
        if (now != progress) {
            progress = now;
            heard(nanoTime);
        }
    }

    /** Notes that nothing is awaited of the server. */
    void idle(long now) {
        heard = now;
        asked = false;
    }

    /** Returns what is to be done now; it asks once. */
    Due due(long now) {
        long silence = now - heard;
        if (silence >= timeoutNanos) {
            return Due.GIVE_UP;
        }
        if (silence < timeoutNanos / 2 || asked) {
            return Due.NOTHING;
        }
        asked = true;
        return Due.PING;
    }

    /** Returns what to say of a server that is taken for gone. */
    PsException failure(String server) {
        long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
        silence =
                new PsException(
                        ErrorCode.DISCONNECTED,
                        "server " + server + " has said nothing for " + millis + " ms");
        return silence;
    }

    /** Returns an error of the server, which also says for what it was taken for gone before. */
    PsException explain(PsException error) {
        return silence == null || silence == error
                ? error
                : new PsException(
                        error.code(),
                        error.getMessage() + "; before that, " + silence.getMessage(),
                        error);
    }
}
