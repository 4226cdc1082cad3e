package io.github.flinkps.common;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Consistent hashing with virtual nodes (Karger et al. 1997): which server holds a partition. A
 * pure function of the ordered list of servers, so that both ends find the same placement;
 * immutable.
 */
public final class PlacementRing {
    private static final int VIRTUAL_NODES = 256;

    private final int servers;
    private final TreeMap<Long, Integer> ring = new TreeMap<>();

    private PlacementRing(int servers) {
        this.servers = servers;
        for (int server = 0; server < servers; server++) {
            for (int node = 0; node < VIRTUAL_NODES; node++) {
                ring.put(KeyHash.mix64(((long) server << 32 | node) ^ 0x5bd1e9955bd1e995L), server);
            }
        }
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
        return orderFrom(KeyHash.mix64(0x9E3779B97F4A7C15L + partition));
    }

    /** Returns the servers of what belongs to a model as a whole; the first decides. */
    public List<Integer> order(String model) {
        long hash = 0xCBF29CE484222325L; // FNV-1a
        for (byte value : model.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (value & 0xFF)) * 0x100000001B3L;
        }
        return orderFrom(KeyHash.mix64(hash));
    }

    private List<Integer> orderFrom(long point) {
        List<Integer> order = new ArrayList<>(servers);
        for (Map.Entry<Long, Integer> entry : ring.tailMap(point, true).entrySet()) {
            if (order.size() == servers) {
                break;
            }
            addOnce(order, entry.getValue());
        }
        for (Map.Entry<Long, Integer> entry : ring.entrySet()) {
            if (order.size() == servers) {
                break;
            }
            addOnce(order, entry.getValue());
        }
        return order;
    }

    private static void addOnce(List<Integer> order, int server) {
        if (!order.contains(server)) {
            order.add(server);
        }
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
        for (int partition = 0; partition < partitions; partition++) {
            for (int server : order(partition)) {
                if (load[server] < limit) {
                    load[server]++;
                    primaries[partition] = server;
                    break;
                }
            }
        }
        return primaries;
    }
}
