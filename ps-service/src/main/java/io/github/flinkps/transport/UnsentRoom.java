package io.github.flinkps.transport;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts what peers have asked for and do not take, by client: one alone fills half of the room at
 * most. An answer always finds room while nothing else is unsent. It does so too while nothing of
 * its client is and the rest of the room suffices. So an answer alone may take more than half, or
 * than all: up to a frame's largest size. Small answers always find room; where clients let these
 * fill it, the connection that has most of them ends. Any thread.
 */
final class UnsentRoom {
    /** The bytes that may wait uncounted beside an answer that asked, with heads of its chunks. */
    private static final int LITTLE_BYTES = 128 * 1024;

    private final long most;
    private final Map<String, Long> clients = new HashMap<>();
    private final Set<Share> occupants = new HashSet<>();
    private long used;

    /**
     * @param most bytes over all connections
     */
    UnsentRoom(long most) {
        this.most = most;
    }

    /** Counts what one connection's peer has not taken. */
    final class Share {
        private final Runnable giveWay;
        private String client;
        private long bytes;
        private boolean told;

        /** The bytes of answers for which there was room, of what is unsent. */
        private long admitted;

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

        private void end() {
            add(-bytes);
            bytes = 0;
            told = true;
            occupants.remove(this);
            giveWay.run();
        }

        /** Returns whether there is room for an answer; always for one where nothing else is. */
        boolean has(long answer) {
            synchronized (UnsentRoom.this) {
                long own = clients.getOrDefault(client, 0L);
                boolean has =
                        used == 0
                                || used + answer <= most
                                        && (own == 0 || client == null || own + answer <= most / 2);
                admitted += has ? answer : 0;
                return has;
            }
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
