package io.github.flinkps.transport;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the other ends of all connections may take of this one, and how long they may say nothing.
 * Any thread.
 */
public final class ConnectionLimits {
    /** Time after which a connection is given up whose other end has vanished. */
    public static final Duration PEER_TIMEOUT = Duration.ofSeconds(10);

    private final int most;
    private final int mostPerAddress;
    private final long mostAssembled;
    private final Duration peerTimeout;
    private final AtomicInteger all = new AtomicInteger();
    private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
    private final AtomicLong assembled = new AtomicLong();

    /**
     * @param most connections that are accepted at a time
     * @param mostPerAddress those of one address
     * @param mostAssembled memory of frames of which a part has arrived, over all connections; one
     *     frame is always assembled
     * @param peerTimeout how long the other end's machine may not answer before the connection ends
     */
    public ConnectionLimits(
            int most, int mostPerAddress, long mostAssembled, Duration peerTimeout) {
        this.most = most;
        this.mostPerAddress = mostPerAddress;
        this.mostAssembled = mostAssembled;
        this.peerTimeout = peerTimeout;
    }

    /**
     * Returns the limits of a client: it has chosen its servers, and only looks whether they live.
     */
    public static ConnectionLimits ofClient(Duration peerTimeout) {
        return new ConnectionLimits(
                Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, peerTimeout);
    }

    int peerTimeoutMillis() {
        return (int) Math.min(Integer.MAX_VALUE, peerTimeout.toMillis());
    }

    /**
     * Counts a connection, until {@link #leave}; returns false, and does not, if it is too many.
     */
    boolean enter(InetAddress address) {
        if (byAddress.merge(address, 1, Integer::sum) > mostPerAddress) {
            leaveAddress(address);
            return false;
        }
        if (all.incrementAndGet() > most) {
            leave(address);
            return false;
        }
        return true;
    }

    void leave(InetAddress address) {
        all.decrementAndGet();
        leaveAddress(address);
    }

    private void leaveAddress(InetAddress address) {
        byAddress.computeIfPresent(address, (of, count) -> count == 1 ? null : count - 1);
    }

    /**
     * Counts memory of frames of which a part has arrived.
     *
     * @param bytes more, or negative: less
     * @param own what the connection that has more of them has in all
     * @throws PsException THROTTLED, and they are counted all the same
     */
    void assemble(long bytes, long own) {
        long now = assembled.addAndGet(bytes);
        if (bytes > 0 && now > mostAssembled && now > own) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "frames of more than "
                            + mostAssembled
                            + " bytes arrive at a time, as many as assembly-bytes allows");
        }
    }
}
