package io.github.flinkps.transport;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts what peers have asked for and do not take, by client: one alone fills half of the room at
 * most. Any thread.
 */
final class UnsentRoom {
    private final long most;
    private final Map<String, Long> clients = new HashMap<>();
    private long used;

    /**
     * @param most bytes over all connections
     */
    UnsentRoom(long most) {
        this.most = most;
    }

    /**
     * Counts bytes more, or negative: less.
     *
     * @param client its name; null stands for all whose name was not asked
     */
    synchronized void change(String client, long bytes) {
        used += bytes;
        clients.merge(client, bytes, (before, more) -> before + more == 0 ? null : before + more);
    }

    /** Returns whether there is room for an answer; always for one where there is nothing else. */
    synchronized boolean has(String client, long bytes) {
        long own = clients.getOrDefault(client, 0L);
        return used == 0
                || used + bytes <= most && (own == 0 || client == null || own + bytes <= most / 2);
    }

    /**
     * Returns whether a client, or all together, have an eighth more than their part of the room:
     * what finds room is never so much.
     */
    synchronized boolean isOver(String client) {
        long slack = most / 8;
        return used - slack > most
                || client != null && clients.getOrDefault(client, 0L) - slack > most / 2;
    }
}
