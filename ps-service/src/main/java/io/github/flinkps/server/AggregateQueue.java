package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.Loop;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The aggregates under way at an owner: one of each client, whose others wait. Clients take turns
 * of about a millisecond, and between two turns the loop answers other requests. Aggregates of a
 * connection that closes are given up. Belongs to the owner's loop.
 */
final class AggregateQueue {
    /** Most aggregates that one connection may have here. */
    static final int MOST_OF_A_CONNECTION = 256;

    /** Most bytes of what a client's aggregates that wait here ask for, if there are several. */
    static final long MOST_BYTES_OF_A_CLIENT = 4L << 20;

    /** Most bytes of one request: each of its arguments takes many times its length. */
    static final int MOST_BYTES_OF_A_REQUEST = 1 << 20;

    private static final long TURN_NANOS = 1_000_000;

    private final Loop loop;

    /** The aggregates of each client, in the order of their turns. */
    private final Map<Object, ArrayDeque<AggregateScan>> clients = new LinkedHashMap<>();

    private final ScanBlock block = new ScanBlock();
    private boolean running;

    AggregateQueue(Loop loop) {
        this.loop = loop;
    }

    /** Returns who is one client: all of a name, or a connection whose name was not asked. */
    private static Object client(Connection connection) {
        String name = connection.clientName();
        return name == null ? connection : name;
    }

    /**
     * Refuses one aggregate more of a connection that has many, or of a client whose aggregates
     * hold much.
     *
     * @param bytes of the request
     * @throws PsException THROTTLED, to be tried again; TOO_LARGE for one that is by itself
     */
    void admit(Connection connection, int bytes) {
        if (bytes > MOST_BYTES_OF_A_REQUEST) {
            throw new PsException(
                    ErrorCode.TOO_LARGE,
                    "arguments of "
                            + bytes
                            + " bytes; an aggregate takes "
                            + MOST_BYTES_OF_A_REQUEST);
        }
        ArrayDeque<AggregateScan> scans = clients.get(client(connection));
        if (scans == null) {
            return;
        }
        long used = scans.stream().mapToLong(AggregateScan::bytes).sum();
        if (used + bytes > MOST_BYTES_OF_A_CLIENT) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "aggregates of this client hold "
                            + used
                            + " bytes of arguments: wait for their answers");
        }
        long own = scans.stream().filter(of -> of.isOf(connection)).count();
        if (own >= MOST_OF_A_CONNECTION) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    own + " aggregates of this connection are under way: wait for their answers");
        }
    }

    /** Adds an aggregate, which answers by itself. */
    void add(Connection connection, AggregateScan scan) {
        clients.computeIfAbsent(client(connection), of -> new ArrayDeque<>()).add(scan);
        goOn();
    }

    /** Gives up what a connection that has closed has asked for. */
    void closed(Connection connection) {
        ArrayDeque<AggregateScan> scans = clients.get(client(connection));
        if (scans != null) {
            scans.removeIf(scan -> scan.isOf(connection));
        }
    }

    /** Takes a turn later. A task that adds a task would come before what sockets have. */
    private void goOn() {
        if (!running) {
            running = true;
            loop.schedule(this::turn, 0);
        }
    }

    private void turn() {
        running = false;
        if (clients.isEmpty()) {
            return;
        }
        Object client = clients.keySet().iterator().next();
        ArrayDeque<AggregateScan> scans = clients.remove(client);
        long end = loop.nanoTime() + TURN_NANOS;
        boolean more = true;
        for (int piece = 0; more && (piece == 0 || loop.nanoTime() - end < 0); piece++) {
            more = !scans.isEmpty() && scans.peek().goOn(block);
        }
        if (!more) {
            scans.poll();
        }
        if (!scans.isEmpty()) {
            clients.put(client, scans);
        }
        if (!clients.isEmpty()) {
            goOn();
        }
    }
}
