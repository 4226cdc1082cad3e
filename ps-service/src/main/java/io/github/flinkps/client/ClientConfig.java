package io.github.flinkps.client;

import io.github.flinkps.transport.ConnectionLimits;
import java.time.Duration;

/**
 * Settings of a client.
 *
 * @param connectTimeout how long servers may take to be reached at first
 * @param reconnectTimeout how long a lost server may stay away before operations fail
 * @param peerTimeout how long a server may say nothing, though it is asked, before its connection
 *     is given up and made anew
 * @param maxInFlight operations of a session that may be under way; more are refused with THROTTLED
 * @param requestBytes size at which an operation is cut into several requests, which keeps frames
 *     in the processor's cache
 * @param maxFrameBytes largest frame taken from a server
 * @param security how servers are known, and how they know the client
 */
public record ClientConfig(
        Duration connectTimeout,
        Duration reconnectTimeout,
        Duration peerTimeout,
        int maxInFlight,
        int requestBytes,
        int maxFrameBytes,
        ClientSecurity security) {
    public ClientConfig {
        if (maxInFlight < 1 || requestBytes < 4096 || maxFrameBytes < 1 << 16) {
            throw new IllegalArgumentException(
                    "max-in-flight must be at least 1, request-bytes 4096, max-frame-bytes 65536");
        }
    }

    public static ClientConfig defaults() {
        return new ClientConfig(
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                ConnectionLimits.PEER_TIMEOUT,
                256,
                1 << 20,
                256 << 20,
                ClientSecurity.NONE);
    }

    public ClientConfig withReconnectTimeout(Duration timeout) {
        return new ClientConfig(
                connectTimeout,
                timeout,
                peerTimeout,
                maxInFlight,
                requestBytes,
                maxFrameBytes,
                security);
    }

    public ClientConfig withConnectTimeout(Duration timeout) {
        return new ClientConfig(
                timeout,
                reconnectTimeout,
                peerTimeout,
                maxInFlight,
                requestBytes,
                maxFrameBytes,
                security);
    }

    public ClientConfig withPeerTimeout(Duration timeout) {
        return new ClientConfig(
                connectTimeout,
                reconnectTimeout,
                timeout,
                maxInFlight,
                requestBytes,
                maxFrameBytes,
                security);
    }

    public ClientConfig withMaxInFlight(int operations) {
        return new ClientConfig(
                connectTimeout,
                reconnectTimeout,
                peerTimeout,
                operations,
                requestBytes,
                maxFrameBytes,
                security);
    }

    public ClientConfig withRequestBytes(int bytes) {
        return new ClientConfig(
                connectTimeout,
                reconnectTimeout,
                peerTimeout,
                maxInFlight,
                bytes,
                maxFrameBytes,
                security);
    }

    public ClientConfig withSecurity(ClientSecurity given) {
        return new ClientConfig(
                connectTimeout,
                reconnectTimeout,
                peerTimeout,
                maxInFlight,
                requestBytes,
                maxFrameBytes,
                given);
    }
}
