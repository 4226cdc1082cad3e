package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.transport.Connection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Pulls of an attempt's workers that wait for a clock, in the order in which they came. Confined to
 * the owner thread.
 */
final class ParkedPulls {
    private final Map<Key, ExchangeRequest> requests = new LinkedHashMap<>();
    private final int limit;
    private final long inFlightBytes;

    /** The name that a client gives a request, whichever connection it sends it over. */
    private record Key(long session, long correlation) {}

    /**
     * @param limit of pulls that wait
     * @param inFlightBytes of frames that wait on one connection
     */
    ParkedPulls(int limit, long inFlightBytes) {
        this.limit = limit;
        this.inFlightBytes = inFlightBytes;
    }

    /**
     * Keeps a pull, and its frame, until it is answered, instead of one that the client has sent
     * before over another connection.
     *
     * @throws PsException THROTTLED, before it is kept
     */
    void add(ExchangeRequest request) {
        Key key = new Key(request.session().id(), request.correlation());
        ExchangeRequest before = requests.get(key);
        if (before != null) {
            before.release();
        } else if (requests.size() >= limit) {
            throw new PsException(ErrorCode.THROTTLED, "too many pulls wait for a clock");
        }
        request.reserve(inFlightBytes);
        requests.put(key, request);
    }

    int size() {
        return requests.size();
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    /** Shows each pull to {@code answer}, and lets those go which are over then. */
    void answer(Consumer<ExchangeRequest> answer) {
        Iterator<ExchangeRequest> each = requests.values().iterator();
        while (each.hasNext()) {
            ExchangeRequest request = each.next();
            if (!request.isOver()) {
                answer.accept(request);
            }
            if (request.isOver()) {
                each.remove();
            }
        }
    }

    /** Lets go of pulls of a connection that has closed: their client asks again. */
    void closed(Connection connection) {
        answer(
                request -> {
                    if (request.isOf(connection)) {
                        request.release();
                    }
                });
    }
}
