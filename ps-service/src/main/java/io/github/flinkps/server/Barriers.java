package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.BarrierValues;
import io.github.flinkps.transport.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Sessions waiting for each other by name. Confined to the control loop. */
final class Barriers {
    /** How many barriers that a client has opened wait for others. */
    private static final int MOST = 1024;

    private static final int REMEMBERED = 4096;
    private static final int MOST_VALUES = 1024;
    private static final int REMEMBERED_MEETINGS = 256;

    /** A session, and the worker that it is of, negative for none. */
    record Party(int session, int worker) {}

    /** Where the answer goes, and what the party tells the others. */
    record Arrival(ControlAnswer answer, long deadline, double[] values) {
        private void answer(List<double[]> all) {
            answer.send(new BarrierValues(all)::write);
        }

        private void fail(PsException reason) {
            answer.fail(reason);
        }

        private Connection connection() {
            return answer.connection();
        }

        private long correlation() {
            return answer.correlation();
        }
    }

    /** An arrival whose answer may be lost: it comes again with the same correlation. */
    private record Answered(int session, long correlation) {}

    /**
     * A barrier at which not all have arrived.
     *
     * @param client name of the one that opened it; null if it was not asked
     */
    private record Meeting(String client, Map<Party, Arrival> arrivals) {
        Meeting(String client) {
            this(
                    client,
                    new TreeMap<>(
                            Comparator.comparingInt(Party::worker)
                                    .thenComparingInt(Party::session)));
        }
    }

    private final Map<String, Meeting> waiting = new HashMap<>();
    private final Map<Answered, List<double[]>> answered = new LinkedHashMap<>();
    private final Map<String, List<double[]>> metOnce = new LinkedHashMap<>();

    /**
     * Notes that a session arrives, and answers all when it is the last. A second arrival of the
     * same session replaces its first.
     */
    void arrive(Party party, String name, AdminMessages.Barrier barrier, Arrival arrival) {
        if (barrier.parties() < 1 || barrier.values().length > MOST_VALUES) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a barrier's parties must be at least 1, and the values of each at most "
                            + MOST_VALUES
                            + ", not "
                            + barrier.parties()
                            + " and "
                            + barrier.values().length);
        }
        List<double[]> before =
                metOnce.getOrDefault(
                        name, answered.get(new Answered(party.session(), arrival.correlation())));
        if (before != null) {
            arrival.answer(before);
            return;
        }
        Map<Party, Arrival> arrivals = meeting(name, arrival).arrivals();
        arrivals.put(party, arrival);
        if (arrivals.size() >= barrier.parties()) {
            waiting.remove(name);
            List<double[]> all = new ArrayList<>();
            arrivals.values().forEach(each -> all.add(each.values()));
            if (barrier.once()) {
                remember(metOnce, name, all, REMEMBERED_MEETINGS);
            }
            arrivals.forEach((each, of) -> answer(each.session(), of, all));
        }
    }

    private Meeting meeting(String name, Arrival arrival) {
        Meeting known = waiting.get(name);
        if (known != null) {
            return known;
        }
        Meeting opened = new Meeting(arrival.connection().clientName());
        long open =
                waiting.values().stream()
                        .filter(each -> Objects.equals(each.client(), opened.client()))
                        .count();
        if (open >= MOST) {
            throw new PsException(
                    ErrorCode.THROTTLED, "too many barriers of this client are open: " + open);
        }
        waiting.put(name, opened);
        return opened;
    }

    private void answer(int session, Arrival arrival, List<double[]> all) {
        remember(answered, new Answered(session, arrival.correlation()), all, REMEMBERED);
        arrival.answer(all);
    }

    private static <K> void remember(
            Map<K, List<double[]>> memory, K key, List<double[]> all, int most) {
        memory.put(key, all);
        if (memory.size() > most) {
            memory.remove(memory.keySet().iterator().next());
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Fails arrivals whose deadline has passed. */
    void expire(long now) {
        waiting.forEach(
                (name, meeting) -> {
                    int arrived = meeting.arrivals().size();
                    for (Arrival late :
                            Removed.from(
                                    meeting.arrivals().values(),
                                    one -> now - one.deadline() >= 0)) {
                        late.fail(
                                new PsException(
                                        ErrorCode.TIMEOUT,
                                        "barrier " + name + ": only " + arrived + " arrived"));
                    }
                });
        removeEmpty();
    }

    private void removeEmpty() {
        waiting.values().removeIf(meeting -> meeting.arrivals().isEmpty());
    }

    /** Lets go of whoever waits for an answer over a connection that is gone; it comes again. */
    void closed(Connection connection) {
        for (Meeting meeting : waiting.values()) {
            meeting.arrivals().values().removeIf(each -> each.connection() == connection);
        }
        removeEmpty();
    }

    /** Fails the arrivals of sessions that a newer attempt has replaced. */
    void refuse(Map<Integer, PsException> ended) {
        for (Meeting meeting : waiting.values()) {
            Map<Party, Arrival> arrivals = meeting.arrivals();
            for (Party party : List.copyOf(arrivals.keySet())) {
                PsException reason = ended.get(party.session());
                if (reason != null) {
                    arrivals.remove(party).fail(reason);
                }
            }
        }
        removeEmpty();
    }

    /** Fails everything. */
    void close() {
        PsException closing = new PsException(ErrorCode.CLOSED, "server closes");
        List<Meeting> all = List.copyOf(waiting.values());
        waiting.clear();
        all.forEach(meeting -> meeting.arrivals().values().forEach(a -> a.fail(closing)));
    }
}
