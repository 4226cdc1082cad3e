package io.github.flinkps.server;

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
 */
public record ServerConfig(
        String host,
        int port,
        int owners,
        int maxFrameBytes,
        long keyCacheBytes,
        int maxParked,
        long fence) {
    public ServerConfig {
        check("port", port, 0, 65535);
        check("owners", owners, 1, 256);
        check("max-frame-bytes", maxFrameBytes, 1 << 16, Integer.MAX_VALUE);
        check("key-cache-bytes", keyCacheBytes, 0, Long.MAX_VALUE);
        check("max-parked", maxParked, 1, 1 << 20);
        check("fence", fence, 0, Long.MAX_VALUE);
    }

    private static void check(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(
                    option + " must be between " + low + " and " + high + ", not " + value);
        }
    }

    /** Loopback, any port, half of the cores as owners, frames up to 256 MiB. */
    public static ServerConfig defaults() {
        int owners = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        long cache = Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 8 / owners);
        return new ServerConfig("127.0.0.1", 0, owners, 256 << 20, cache, 4096, 0);
    }

    public ServerConfig withPort(int newPort) {
        return new ServerConfig(
                host, newPort, owners, maxFrameBytes, keyCacheBytes, maxParked, fence);
    }

    public ServerConfig withHost(String newHost) {
        return new ServerConfig(
                newHost, port, owners, maxFrameBytes, keyCacheBytes, maxParked, fence);
    }

    public ServerConfig withOwners(int count) {
        return new ServerConfig(host, port, count, maxFrameBytes, keyCacheBytes, maxParked, fence);
    }

    public ServerConfig withKeyCacheBytes(long bytes) {
        return new ServerConfig(host, port, owners, maxFrameBytes, bytes, maxParked, fence);
    }

    public ServerConfig withFence(long only) {
        return new ServerConfig(host, port, owners, maxFrameBytes, keyCacheBytes, maxParked, only);
    }
}
