package io.github.flinkps.transport;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Counts what peers have asked for and do not take, by client: one alone fills half of the room at
 * most. An answer always finds room while nothing else is unsent. It does so too while nothing of
 * its client is and the rest of the room suffices. So an answer alone may take more than half, or
 * than all: up to a frame's largest size. An answer that finds no room takes that of a slow
 * connection, of the client that has most. Small answers always find room; where clients let these
 * fill it, the connection that has most of them ends. Any thread.
 */
final class UnsentRoom {
    /** The bytes that may wait uncounted beside an answer that asked, with heads of its chunks. */
    private static final int LITTLE_BYTES = 128 * 1024;

    private final long most;
    private final long patienceNanos;
    private final LongSupplier nanoTime;
    private final Map<String, Long> clients = new HashMap<>();
    private final Set<Share> occupants = new HashSet<>();
    private long used;

    /**
     * @param most bytes over all connections
     * @param patience how long a connection may take less than it has, while others need room
     */
    UnsentRoom(long most, Duration patience, LongSupplier nanoTime) {
        this.most = most;
        this.patienceNanos = patience.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Counts what one connection's peer has not taken. */
    final class Share {
        private final Runnable giveWay;
        private String client;
        private long bytes;
        private boolean told;

        /** The bytes of answers for which there was room, of what is unsent. */
        private long admitted;

        /** The bytes that were taken since {@link #since}. */
        private long taken;

        /** The time from which on it is measured whether it takes what it has. */
        private long since;

        private Share(Runnable giveWay) {
            this.giveWay = giveWay;
        }

        /** Says whose it is from now on; null stands for all whose name is not asked. */
        void client(String name) {
            synchronized (UnsentRoom.this) {
                add(-bytes);
                client = name;
                add(bytes);
            }
        }

        /**
         * Sets how many bytes are unsent. Tells a connection to give way if there are an eighth
         * more than a client's part, or than all, which small answers alone make; it counts no
         * longer.
         */
        void set(long unsent) {
            synchronized (UnsentRoom.this) {
                if (told) {
                    return;
                }
                boolean more = unsent > bytes;
                measure(unsent);
                add(unsent - bytes);
                bytes = unsent;
                admitted = Math.min(admitted, unsent);
                if (unsent == 0) {
                    occupants.remove(this);
                } else {
                    occupants.add(this);
                }
                if (more) {
                    makeRoom(this);
                }
            }
        }

        /** Begins to measure anew where nothing was left, or much more is. */
        private void measure(long unsent) {
            taken += Math.max(0, bytes - unsent);
            if (unsent > 2 * bytes) {
                begin(nanoTime.getAsLong());
            }
        }

        private void begin(long now) {
            since = now;
            taken = 0;
        }

        /** Returns whether it has taken less than it has, for as long as that may be. */
        private boolean isSlow(long now) {
            if (now - since < patienceNanos) {
                return false;
            }
            if (taken >= bytes) {
                begin(now);
                return false;
            }
            return true;
        }

        private void end() {
            add(-bytes);
            bytes = 0;
            told = true;
            occupants.remove(this);
            giveWay.run();
        }

        /**
         * Returns whether there is room for an answer; always for one where nothing else is. Slow
         * connections that are in its way are told to give way.
         */
        boolean has(long answer) {
            synchronized (UnsentRoom.this) {
                while (!fits(answer)) {
                    Optional<Share> slow = inTheWay(this, answer);
                    if (slow.isEmpty()) {
                        return false;
                    }
                    slow.get().end();
                }
                admitted += answer;
                return true;
            }
        }

        private boolean fits(long answer) {
            long own = unsent(client);
            return used == 0
                    || used + answer <= most
                            && (own == 0 || client == null || own + answer <= most / 2);
        }

        private void add(long more) {
            used += more;
            if (more != 0) {
                clients.merge(client, more, (own, add) -> own + add == 0 ? null : own + add);
            }
        }

        /** Returns the bytes of answers that did not ask; heads and TLS add a little to others. */
        private long small() {
            return admitted == 0 ? bytes : bytes - admitted - admitted / 64 - LITTLE_BYTES;
        }
    }

    /**
     * Returns what a connection's peer has not taken, nothing at first.
     *
     * @param giveWay ends the connection; it may be called on any thread and must not wait
     */
    Share share(Runnable giveWay) {
        return new Share(giveWay);
    }

    private long unsent(String client) {
        return clients.getOrDefault(client, 0L);
    }

    /**
     * Returns the slow connection with most, of the client that has most; none if that is who asks
     * with its answer, to which only a connection of its own with more than this one gives way.
     */
    private Optional<Share> inTheWay(Share asking, long answer) {
        String largest = asking.client;
        long most = unsent(asking.client) + answer;
        if (used + answer > this.most) {
            for (Map.Entry<String, Long> each : clients.entrySet()) {
                if (each.getValue() > most) {
                    most = each.getValue();
                    largest = each.getKey();
                }
            }
        }
        String client = largest;
        long least = Objects.equals(client, asking.client) ? asking.bytes + answer : 0;
        long now = nanoTime.getAsLong();
        return occupants.stream()
                .filter(each -> each != asking && Objects.equals(each.client, client))
                .filter(each -> each.bytes > least && each.isSlow(now))
                .max(Comparator.comparingLong(each -> each.bytes));
    }

    private void makeRoom(Share grown) {
        long slack = most / 8;
        boolean own =
                grown.client != null && clients.getOrDefault(grown.client, 0L) - slack > most / 2;
        if (!own && used - slack <= most) {
            return;
        }
        occupants.stream()
                .filter(each -> !own || grown.client.equals(each.client))
                .max(Comparator.comparingLong(Share::small))
                .filter(each -> each.small() > 0)
                .ifPresent(Share::end);
    }
}
