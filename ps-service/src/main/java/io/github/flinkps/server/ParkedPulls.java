package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.transport.Connection;
import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * Pulls of an attempt's workers that wait for a clock, in the order in which they came. Confined to
 * the owner thread.
 */
final class ParkedPulls {
    private final ArrayList<ExchangeRequest> requests = new ArrayList<>();
    private final int limit;
    private final long inFlightBytes;

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
        int at = indexOfSame(request);
        if (at < requests.size()) {
            requests.get(at).release();
        } else if (at >= limit) {
            throw new PsException(ErrorCode.THROTTLED, "too many pulls wait for a clock");
        }
        request.hold(inFlightBytes);
        if (at < requests.size()) {
            requests.set(at, request);
        } else {
            requests.add(request);
        }
    }

    private int indexOfSame(ExchangeRequest request) {
        int at = 0;
        while (at < requests.size() && !requests.get(at).isRepeatedBy(request)) {
            at++;
        }
        return at;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    /** Shows each pull to {@code answer}, and lets those go which are over then. */
    void answer(Consumer<ExchangeRequest> answer) {
        int kept = 0;
        for (int i = 0; i < requests.size(); i++) {
            ExchangeRequest request = requests.get(i);
            if (!request.isOver()) {
                answer.accept(request);
            }
            if (!request.isOver()) {
                requests.set(kept++, request);
            }
        }
        requests.subList(kept, requests.size()).clear();
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
