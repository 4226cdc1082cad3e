package io.github.flinkps.transport;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts whole frames that handlers keep, such as those that wait for another's, by client: one
 * alone fills half of the room at most. A frame always finds room while no other is kept, and while
 * none of its client is and the rest of the room suffices. What a client has beyond its half by
 * that takes nothing of the half of others. Any thread.
 */
final class KeptRoom {
    private final long most;
    private final Map<String, Client> clients = new HashMap<>();

    /** The bytes of all clients, of each as many as its part at most. */
    private long used;

    /**
     * @param most bytes over all connections
     */
    KeptRoom(long most) {
        this.most = most;
    }

    /** A client; those whose name is not asked are one, and have all of the room. */
    private static final class Client {
        private final long part;
        private long bytes;
        private int connections;

        Client(long part) {
            this.part = part;
        }
    }

    /** Counts what is kept of one connection. */
    final class Share {
        private String name;
        private Client client;

        private Share() {
            enter(null);
        }

        private void enter(String as) {
            name = as;
            client = clients.computeIfAbsent(as, own -> new Client(own == null ? most : most / 2));
            client.connections++;
        }

        /** Says whose it is from now on; nothing of it may be kept yet. */
        void client(String as) {
            synchronized (KeptRoom.this) {
                leave();
                enter(as);
            }
        }

        private void leave() {
            client.connections--;
            forgetIfOver();
        }

        private void forgetIfOver() {
            if (client.connections == 0 && client.bytes == 0) {
                clients.remove(name, client);
            }
        }

        /**
         * Counts more bytes, or less.
         *
         * @return whether there is room for them; they are counted all the same
         */
        boolean add(long bytes) {
            synchronized (KeptRoom.this) {
                long own = client.bytes;
                boolean free = used + bytes <= most && (own == 0 || own + bytes <= client.part);
                boolean has = bytes <= 0 || used == 0 || free;
                used += Math.min(own + bytes, client.part) - Math.min(own, client.part);
                client.bytes = own + bytes;
                forgetIfOver();
                return has;
            }
        }

        /** Ends the share; what is kept of it is taken off later. */
        void close() {
            synchronized (KeptRoom.this) {
                leave();
            }
        }
    }

    /** Returns what is kept of a connection, nothing at first. */
    Share share() {
        synchronized (this) {
            return new Share();
        }
    }
}
