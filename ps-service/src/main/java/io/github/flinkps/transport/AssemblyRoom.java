package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Shares the memory of frames of which a part has arrived among the clients that send them. Where
 * it does not suffice, the client that occupies most gives way, so that none can keep it from
 * others. Any thread.
 */
final class AssemblyRoom {
    /** The clients that have not said their name yet; all others go before them. */
    private static final Object STRANGERS = new Object();

    /** The clients whose name is not asked. */
    private static final Object NAMELESS = new Object();

    private final long most;
    private final long patienceNanos;
    private final LongSupplier nanoTime;
    private final Set<Share> occupants = new HashSet<>();
    private long occupied;

    /**
     * @param most bytes over all connections; one connection may always have what it needs
     * @param patience how long a connection may occupy some while others of its client need room
     */
    AssemblyRoom(long most, Duration patience, LongSupplier nanoTime) {
        this.most = most;
        this.patienceNanos = patience.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Counts what one connection occupies. */
    final class Share {
        private final Runnable giveWay;
        private Object client = STRANGERS;
        private long bytes;
        private long since;

        private Share(Runnable giveWay) {
            this.giveWay = giveWay;
        }

        /** Says whose it is from now on; null is a client of which no name is asked. */
        void client(String name) {
            synchronized (AssemblyRoom.this) {
                client = name == null ? NAMELESS : name;
            }
        }

        /**
         * Sets the memory of this connection's unfinished frames. For more of it connections of the
         * client that occupies most are told to give way; they count no longer then.
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
     * @param giveWay ends the connection; it may be called on any thread and must not wait
     */
    Share share(Runnable giveWay) {
        return new Share(giveWay);
    }

    private void change(Share share, long now, boolean progressed) {
        boolean more = now > share.bytes;
        if (occupants.contains(share)) {
            occupied += now - share.bytes;
        } else if (share.bytes == 0 && now > 0) {
            occupants.add(share);
            occupied += now;
        } // else: it has been told to give way
        if (share.bytes == 0 || progressed) {
            share.since = nanoTime.getAsLong();
        }
        share.bytes = now;
        if (now == 0) {
            occupants.remove(share);
        }
        while (more && occupied > most && occupied > now) {
            Share victim = victim(share);
            if (victim == share) {
                throw new PsException(
                        ErrorCode.THROTTLED,
                        "frames of more than "
                                + most
                                + " bytes arrive at a time, as many as assembly-bytes allows");
            }
            occupants.remove(victim);
            occupied -= victim.bytes;
            victim.giveWay.run();
        }
    }

    /**
     * Returns who gives way: of strangers if they occupy some, else of the client that occupies
     * most, the connection that has occupied some for longest without ending a frame. That client's
     * own next frame does not take the place of one that makes progress.
     */
    private Share victim(Share asking) {
        Map<Object, Long> byClient = new HashMap<>();
        occupants.forEach(each -> byClient.merge(each.client, each.bytes, Long::sum));
        byClient.computeIfPresent(STRANGERS, (strangers, bytes) -> Long.MAX_VALUE);
        long largest = byClient.values().stream().mapToLong(Long::longValue).max().orElse(0);
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
