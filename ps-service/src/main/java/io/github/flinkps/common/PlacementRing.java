package io.github.flinkps.common;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Consistent hashing with virtual nodes (Karger et al. 1997): which server holds a partition. A
 * pure function of the ordered list of servers, so that both ends find the same placement;
 * immutable.
 */
public final class PlacementRing {
    private static final int VIRTUAL_NODES = 256;
    private static final long SALT = 0x5bd1e9955bd1e995L;

    private final int servers;

    /** The nodes by their places on the ring; each place is that of one node. */
    private final long[] nodes;

    private PlacementRing(int servers) {
        this.servers = servers;
        this.nodes = new long[servers * VIRTUAL_NODES];
        for (int node = 0; node < nodes.length; node++) {
            long server = node / VIRTUAL_NODES;
            nodes[node] = KeyHash.mix64((server << 32 | node % VIRTUAL_NODES) ^ SALT);
        }
        Arrays.sort(nodes);
    }

    private int server(int node) {
        return (int) ((KeyHash.unmix64(nodes[node]) ^ SALT) >>> 32);
    }

    /** Returns the first node at or behind a place, or the number of nodes. */
    private int from(long place) {
        int at = Arrays.binarySearch(nodes, place);
        return at < 0 ? -at - 1 : at;
    }

    /** Returns a ring of the servers 0 to {@code servers - 1}, at least one. */
    public static PlacementRing of(int servers) {
        if (servers < 1) {
            throw new IllegalArgumentException("servers must be at least 1, not " + servers);
        }
        return new PlacementRing(servers);
    }

    public int servers() {
        return servers;
    }

    /** Returns the servers of a partition: the primary, then those that would hold its replicas. */
    public List<Integer> order(int partition) {
        return orderFrom(place(partition));
    }

    private static long place(int partition) {
        return KeyHash.mix64(0x9E3779B97F4A7C15L + partition);
    }

    /** Returns the servers of what belongs to a model as a whole; the first decides. */
    public List<Integer> order(String model) {
        long hash = 0xCBF29CE484222325L; // FNV-1a
        for (byte value : model.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (value & 0xFF)) * 0x100000001B3L;
        }
        return orderFrom(KeyHash.mix64(hash));
    }

    private List<Integer> orderFrom(long place) {
        List<Integer> order = new ArrayList<>(servers);
        BitSet known = new BitSet(servers);
        for (int node = from(place); order.size() < servers; node++) {
            int server = server(node % nodes.length);
            if (!known.get(server)) {
                known.set(server);
                order.add(server);
            }
        }
        return order;
    }

    /**
     * Returns the primary of each partition; the same for all tables of as many partitions, so that
     * equal keys lie together. Bounded loads (Mirrokni et al. 2018): no server takes more than the
     * average rounded up; what exceeds it goes to the partition's next server.
     */
    public int[] primaries(int partitions) {
        int limit = (partitions + servers - 1) / servers;
        int[] load = new int[servers];
        int[] primaries = new int[partitions];
        int[] next = new int[nodes.length + 1]; // behind nodes of full servers, as far as is known
        Arrays.setAll(next, node -> node);
        for (int partition = 0; partition < partitions; partition++) {
            int node = withRoom(from(place(partition)), next, load, limit);
            if (node == nodes.length) {
                node = withRoom(0, next, load, limit);
            }
            int server = server(node);
            load[server]++;
            primaries[partition] = server;
        }
        return primaries;
    }

    /** Returns the first node from one on whose server has room, or the number of nodes. */
    private int withRoom(int from, int[] next, int[] load, int limit) {
        int node = from;
        while (node < nodes.length && (next[node] > node || load[server(node)] >= limit)) {
            node = next[node] > node ? next[node] : node + 1;
        }
        for (int passed = from; passed < node; ) {
            int after = Math.max(next[passed], passed + 1);
            next[passed] = node;
            passed = after;
        }
        return node;
    }
}
