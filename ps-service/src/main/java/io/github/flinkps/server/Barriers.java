package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.BarrierValues;
import io.github.flinkps.transport.Connection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Sessions waiting for each other by name. Confined to the control loop. */
final class Barriers {
    /** The most barriers opened by a client that may wait for others. */
    private static final int MOST = 1024;

    private static final int MOST_VALUES = 64;

    /** Most values of all answers together; each party takes the room of one more. */
    private static final long MOST_ANSWERED = 1 << 24;

    /** Most values of a client's arrivals that wait, each arrival counting for some more. */
    private static final long MOST_WAITING = 1 << 20;

    private static final int VALUES_OF_AN_ARRIVAL = 16;

    /** The name of a barrier, apart for each model. */
    record Name(String model, String barrier) {
        @Override
        public String toString() {
            return model + "/" + barrier;
        }
    }

    /** A session, and the worker that it is of, negative for none. */
    record Party(int session, int worker) {}

    /**
     * The arrival of a party at a barrier: where the answer goes, and what the party tells the
     * others.
     */
    record Arrival(ControlAnswer answer, long deadline, double[] values) {
        private void answer(byte[] all) {
            answer.send(out -> out.body(all));
        }

        private void fail(PsException reason) {
            answer.fail(reason);
        }

        private Connection connection() {
            return answer.connection();
        }

        private long weight() {
            return (long) VALUES_OF_AN_ARRIVAL + values.length;
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

    /**
     * The answers that one client may ask for again, kept apart so that no other client makes the
     * server forget them.
     */
    private static final class Memory {
        private final Answers<Answered> answered = new Answers<>(4096);
        private final Answers<Name> metOnce = new Answers<>(256);

        /** Returns what the parties were told, if they have met, else null. */
        byte[] of(Name name, Answered arrival) {
            return metOnce.all.getOrDefault(name, answered.all.get(arrival));
        }
    }

    /**
     * The latest answers by key; the oldest go where there are too many. All parties of a meeting
     * are told the same array, one after the other, so that its bytes count once.
     */
    private static final class Answers<K> {
        /** Most bytes of answers, but that those of the last meeting stay. */
        private static final long MOST_BYTES = 4 << 20;

        private final int most;
        private final Map<K, byte[]> all = new LinkedHashMap<>();
        private byte[] newest;
        private long bytes;

        Answers(int most) {
            this.most = most;
        }

        void put(K key, byte[] answer) {
            if (newest != answer) {
                bytes += answer.length;
                newest = answer;
            }
            all.put(key, answer);
            Iterator<byte[]> oldest = all.values().iterator();
            while (all.size() > most || bytes > MOST_BYTES) {
                byte[] removed = oldest.next();
                if (removed == newest) {
                    return;
                }
                oldest.remove();
                if (all.values().iterator().next() != removed) {
                    bytes -= removed.length;
                }
                oldest = all.values().iterator();
            }
        }
    }

    private final Map<Name, Meeting> waiting = new HashMap<>();

    /** The weight of each client's arrivals that wait; null as below. */
    private final Map<String, Long> weights = new HashMap<>();

    /** The memory of each client by its name; null for those that were not asked. */
    private final Map<String, Memory> memories = new HashMap<>();

    /**
     * Notes that a session arrives, and answers all when it is the last. A second arrival of the
     * same session replaces its first.
     */
    void arrive(Party party, Name name, AdminMessages.Barrier barrier, Arrival arrival) {
        checkShape(barrier);
        byte[] before =
                memory(arrival).of(name, new Answered(party.session(), arrival.correlation()));
        if (before != null) {
            arrival.answer(before);
            return;
        }
        admit(arrival);
        Map<Party, Arrival> arrivals = meeting(name, arrival).arrivals();
        Arrival replaced = arrivals.put(party, arrival);
        if (replaced != null) {
            left(replaced);
        }
        came(arrival);
        if (arrivals.size() >= barrier.parties()) {
            waiting.remove(name);
            arrivals.values().forEach(this::left);
            byte[] all =
                    new BarrierValues(arrivals.values().stream().map(Arrival::values).toList())
                            .encode();
            if (barrier.once()) {
                arrivals.values().forEach(of -> memory(of).metOnce.put(name, all));
            }
            arrivals.forEach((each, of) -> answer(each.session(), of, all));
        }
    }

    private static void checkShape(AdminMessages.Barrier barrier) {
        long parties = barrier.parties();
        long values = barrier.values().length;
        if (parties < 1
                || values > MOST_VALUES
                || parties * parties > MOST_ANSWERED / (1 + values)) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a barrier of "
                            + parties
                            + " parties, of each "
                            + values
                            + " values: there must be a party, and at most "
                            + MOST_VALUES
                            + " values of each, and "
                            + MOST_ANSWERED
                            + " values in all answers together");
        }
    }

    /** Refuses an arrival of a client that has many, with many values, at barriers. */
    private void admit(Arrival arrival) {
        long before = weights.getOrDefault(arrival.connection().clientName(), 0L);
        if (before + arrival.weight() > MOST_WAITING) {
            throw new PsException(
                    ErrorCode.THROTTLED, "too many sessions of this client wait at barriers");
        }
    }

    private void came(Arrival arrival) {
        weights.merge(arrival.connection().clientName(), arrival.weight(), Long::sum);
    }

    private void left(Arrival arrival) {
        weights.computeIfPresent(
                arrival.connection().clientName(),
                (client, before) -> before == arrival.weight() ? null : before - arrival.weight());
    }

    private Meeting meeting(Name name, Arrival arrival) {
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

    private void answer(int session, Arrival arrival, byte[] all) {
        memory(arrival).answered.put(new Answered(session, arrival.correlation()), all);
        arrival.answer(all);
    }

    private Memory memory(Arrival arrival) {
        return memories.computeIfAbsent(arrival.connection().clientName(), client -> new Memory());
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
                        left(late);
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
            Removed.from(meeting.arrivals().values(), each -> each.connection() == connection)
                    .forEach(this::left);
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
                    Arrival gone = arrivals.remove(party);
                    left(gone);
                    gone.fail(reason);
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
        weights.clear();
        all.forEach(meeting -> meeting.arrivals().values().forEach(a -> a.fail(closing)));
    }
}
