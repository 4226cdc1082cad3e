package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Shares the memory of frames of which a part has arrived, or which wait whole while answers are
 * not taken, among the clients that send them. Where it does not suffice, the client that occupies
 * most gives way, so that none can keep it from others. Those who have not said their name have a
 * small room of their own, shared by address: they take nothing of what clients have, and no client
 * keeps newcomers out. Any thread.
 */
final class AssemblyRoom {
    /** The most that those have who have not said their name. */
    private static final long STRANGERS_BYTES = 16L << 20;

    /** The clients whose name is not asked. */
    private static final Object NAMELESS = new Object();

    private final Room known;
    private final Room strangers;
    private final long patienceNanos;
    private final LongSupplier nanoTime;

    /**
     * @param most bytes over all connections; one connection may always have what it needs
     * @param patience how long a connection may occupy some while others of its client need room
     */
    AssemblyRoom(long most, Duration patience, LongSupplier nanoTime) {
        this.known = new Room(most);
        this.strangers = new Room(Math.min(STRANGERS_BYTES, most / 8));
        this.patienceNanos = patience.toNanos();
        this.nanoTime = nanoTime;
    }

    private static final class Room {
        private final long most;
        private final Set<Share> occupants = new HashSet<>();
        private long occupied;

        Room(long most) {
            this.most = most;
        }

        void add(Share share) {
            occupants.add(share);
            occupied += share.bytes;
        }

        /** Returns false if the share was not here any more. */
        boolean remove(Share share) {
            boolean there = occupants.remove(share);
            occupied -= there ? share.bytes : 0;
            return there;
        }
    }

    /** Counts what one connection occupies. */
    final class Share {
        private final Runnable giveWay;
        private Room room = strangers;
        private Object client;
        private long bytes;
        private long since;

        private Share(Object address, Runnable giveWay) {
            this.client = address;
            this.giveWay = giveWay;
        }

        /** Says whose it is from now on; null is a client of which no name is asked. */
        void client(String name) {
            synchronized (AssemblyRoom.this) {
                client = name == null ? NAMELESS : name;
                if (room.remove(this)) {
                    known.add(this);
                }
                room = known;
            }
        }

        /**
         * Sets the memory of this connection's unfinished and waiting frames. For more of it
         * connections of the client that occupies most are told to give way; they count no longer
         * then.
         *
         * @param progressed whether a frame has come to its end meanwhile
         * @throws PsException THROTTLED if it is this connection that has to give way; the memory
         *     is counted all the same
         */
        void occupy(long now, boolean progressed) {
            synchronized (AssemblyRoom.this) {
                change(this, now, progressed);
            }
        }
    }

    /**
     * Returns what a connection occupies, nothing at first.
     *
     * @param address whose it is until it says its name
     * @param giveWay ends the connection; it may be called on any thread and must not wait
     */
    Share share(Object address, Runnable giveWay) {
        return new Share(address, giveWay);
    }

    private void change(Share share, long now, boolean progressed) {
        Room room = share.room;
        boolean more = now > share.bytes;
        boolean counts = room.remove(share) || share.bytes == 0; // else it was told to give way
        if (share.bytes == 0 || progressed) {
            share.since = nanoTime.getAsLong();
        }
        share.bytes = now;
        if (counts && now > 0) {
            room.add(share);
        }
        while (more && room.occupied > room.most && room.occupied > now) {
            Share victim = victim(share);
            if (victim == share) {
                throw new PsException(
                        ErrorCode.THROTTLED,
                        "frames of more than "
                                + room.most
                                + " bytes arrive at a time, as many as assembly-bytes allows");
            }
            room.remove(victim);
            victim.giveWay.run();
        }
    }

    /**
     * Returns who gives way: of the client that occupies most, the connection that has occupied
     * some for longest without ending a frame. That client's own next frame does not take the place
     * of one that makes progress.
     */
    private Share victim(Share asking) {
        Set<Share> occupants = asking.room.occupants;
        Map<Object, Long> byClient = new HashMap<>();
        occupants.forEach(each -> byClient.merge(each.client, each.bytes, Long::sum));
        long largest = Collections.max(byClient.values());
        Object own = asking.client;
        Object client =
                byClient.getOrDefault(own, 0L) == largest
                        ? own
                        : byClient.entrySet().stream()
                                .filter(each -> each.getValue() == largest)
                                .findAny()
                                .orElseThrow()
                                .getKey();
        long now = nanoTime.getAsLong();
        Share stalest =
                occupants.stream()
                        .filter(each -> each.client.equals(client))
                        .max(Comparator.comparingLong(each -> now - each.since))
                        .orElse(asking);
        return client.equals(own) && now - stalest.since < patienceNanos ? asking : stalest;
    }
}
