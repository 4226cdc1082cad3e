package io.github.flinkps.server;

import io.github.flinkps.server.store.Partition;
import java.time.Duration;

/**
 * Settings of a server.
 *
 * @param host address to listen on; nothing beyond loopback without authentication
 * @param port to listen on, 0 for any free one
 * @param owners number of owner threads, at least 1
 * @param maxFrameBytes largest frame taken from a client
 * @param keyCacheBytes memory of cached key lists per owner thread
 * @param maxParked requests that may wait at an owner thread; beyond it they are answered THROTTLED
 * @param fence the only one it takes, or 0 for a server of a cluster, which grants them
 * @param inFlightBytes of a connection: of its requests that wait (beyond it they are answered
 *     THROTTLED), and of answers that it does not take (beyond it nothing more is read)
 * @param partitionRows most rows of a sparse table's partition; beyond it TABLE_FULL
 * @param cuts limits of cuts
 */
public record ServerConfig(
        String host,
        int port,
        int owners,
        int maxFrameBytes,
        long keyCacheBytes,
        int maxParked,
        long fence,
        long inFlightBytes,
        int partitionRows,
        CutLimits cuts) {
    /**
     * Limits of cuts.
     *
     * @param timeout longest wait behind a marker, and longest time a cut may be written
     * @param holdBytes pushes held behind markers by an owner thread, per model; beyond it they are
     *     answered THROTTLED
     * @param savedBytes memory per owner thread and model for rows saved from being overwritten
     *     before a cut has copied them; beyond it pushes are answered THROTTLED
     */
    public record CutLimits(Duration timeout, long holdBytes, long savedBytes) {
        public CutLimits {
            check("cut-timeout", timeout.toMillis(), 1, Long.MAX_VALUE);
            check("cut-hold-bytes", holdBytes, 1 << 20, Long.MAX_VALUE);
            check("cut-saved-bytes", savedBytes, 1 << 20, Long.MAX_VALUE);
        }

        /** Ten minutes; an eighth of the heap held, of 2 GiB at most, and an eighth saved. */
        static CutLimits of(long heap) {
            long eighth = Math.max(SMALLEST, heap / 8);
            return new CutLimits(Duration.ofMinutes(10), Math.min(256L << 20, eighth), eighth);
        }
    }

    /** Of what is a share of the heap. */
    private static final long SMALLEST = 16L << 20;

    /** Room for the windows of several sessions, and above what a socket buffers by itself. */
    private static final long IN_FLIGHT_BYTES = 64 << 20;

    public ServerConfig {
        check("port", port, 0, 65535);
        check("owners", owners, 1, 256);
        check("max-frame-bytes", maxFrameBytes, 1 << 16, Integer.MAX_VALUE);
        check("key-cache-bytes", keyCacheBytes, 0, Long.MAX_VALUE);
        check("max-parked", maxParked, 1, 1 << 20);
        check("fence", fence, 0, Long.MAX_VALUE);
        check("in-flight-bytes", inFlightBytes, 4 << 20, Long.MAX_VALUE);
        check("partition-rows", partitionRows, 1, Partition.MAX_SPARSE_ROWS);
    }

    private static void check(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(
                    option + " must be between " + low + " and " + high + ", not " + value);
        }
    }

    /** For a server that has the heap for itself. */
    public static ServerConfig defaults() {
        return forHeap(Runtime.getRuntime().maxMemory());
    }

    /**
     * Loopback, any port, half of the cores as owners, frames up to 256 MiB, key lists in an eighth
     * of the heap.
     *
     * @param heap bytes of heap for the server; about half of it is left for models
     */
    public static ServerConfig forHeap(long heap) {
        int owners = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        long cache = Math.max(SMALLEST, heap / 8 / owners);
        return new ServerConfig(
                "127.0.0.1",
                0,
                owners,
                256 << 20,
                cache,
                4096,
                0,
                IN_FLIGHT_BYTES,
                Partition.MAX_SPARSE_ROWS,
                CutLimits.of(heap));
    }

    public ServerConfig withPort(int newPort) {
        return with(host, newPort, owners, keyCacheBytes, fence);
    }

    public ServerConfig withHost(String newHost) {
        return with(newHost, port, owners, keyCacheBytes, fence);
    }

    public ServerConfig withOwners(int count) {
        return with(host, port, count, keyCacheBytes, fence);
    }

    public ServerConfig withKeyCacheBytes(long bytes) {
        return with(host, port, owners, bytes, fence);
    }

    public ServerConfig withFence(long only) {
        return with(host, port, owners, keyCacheBytes, only);
    }

    private ServerConfig with(
            String newHost, int newPort, int newOwners, long newKeyCacheBytes, long newFence) {
        return new ServerConfig(
                newHost,
                newPort,
                newOwners,
                maxFrameBytes,
                newKeyCacheBytes,
                maxParked,
                newFence,
                inFlightBytes,
                partitionRows,
                cuts);
    }

    /** The limits on what clients may ask for. */
    public ServerConfig withLimits(int frameBytes, long newInFlightBytes, int newPartitionRows) {
        return new ServerConfig(
                host,
                port,
                owners,
                frameBytes,
                keyCacheBytes,
                maxParked,
                fence,
                newInFlightBytes,
                newPartitionRows,
                cuts);
    }

    public ServerConfig withCuts(CutLimits limits) {
        return new ServerConfig(
                host,
                port,
                owners,
                maxFrameBytes,
                keyCacheBytes,
                maxParked,
                fence,
                inFlightBytes,
                partitionRows,
                limits);
    }
}
