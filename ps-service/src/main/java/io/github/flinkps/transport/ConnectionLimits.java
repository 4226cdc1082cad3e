package io.github.flinkps.transport;

import io.github.flinkps.common.LogBudget;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limits of what the other ends of all connections may take of this one, and of how long they
 * may say nothing. Any thread.
 */
public final class ConnectionLimits {
    /** Time after which a connection is given up whose other end has vanished. */
    public static final Duration PEER_TIMEOUT = Duration.ofSeconds(10);

    /** Lines a minute of a log about connections that ended. */
    private static final int LOG_LINES = 100;

    private final int most;
    private final int mostPerAddress;
    private final AssemblyRoom assembly;
    private final UnsentRoom unsent;
    private final KeptRoom kept;
    private final Duration peerTimeout;
    private final ConnectionTraffic traffic = new ConnectionTraffic();
    private final LogBudget ends = new LogBudget(LOG_LINES);
    private final AtomicInteger all = new AtomicInteger();
    private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    /**
     * @param most connections that are accepted at a time
     * @param mostPerAddress those of one address
     * @param mostAssembled memory of frames of which a part has arrived, over all connections; one
     *     frame is always assembled. Whole ones that handlers keep have as much
     * @param mostUnsent memory of what other ends have not taken, beyond which large answers wait
     * @param peerTimeout how long the other end's machine may not answer, or a frame that has begun
     *     may not go on, before the connection ends
     */
    public ConnectionLimits(
            int most,
            int mostPerAddress,
            long mostAssembled,
            long mostUnsent,
            Duration peerTimeout) {
        this.most = most;
        this.mostPerAddress = mostPerAddress;
        this.assembly = new AssemblyRoom(mostAssembled, peerTimeout, System::nanoTime);
        this.unsent = new UnsentRoom(mostUnsent, peerTimeout, System::nanoTime);
        this.kept = new KeptRoom(mostAssembled);
        this.peerTimeout = peerTimeout;
    }

    /**
     * Returns the limits of a client: it has chosen its servers, and only looks whether they live.
     */
    public static ConnectionLimits ofClient(Duration peerTimeout) {
        return new ConnectionLimits(
                Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, peerTimeout);
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

    /** Returns the number of connections that were accepted and have not ended. */
    int connections() {
        return all.get();
    }

    /** Returns the count of what goes over the connections. */
    ConnectionTraffic traffic() {
        return traffic;
    }

    void leave(InetAddress address) {
        all.decrementAndGet();
        leaveAddress(address);
    }

    private void leaveAddress(InetAddress address) {
        byAddress.computeIfPresent(address, (of, count) -> count == 1 ? null : count - 1);
    }

    /** Returns the memory of frames of which a part has arrived. */
    AssemblyRoom assembly() {
        return assembly;
    }

    /** Returns the memory of what other ends have not taken. */
    UnsentRoom unsent() {
        return unsent;
    }

    /** Returns the memory of whole frames that handlers keep. */
    KeptRoom kept() {
        return kept;
    }

    /** Returns the lines of the log about connections that ended. */
    LogBudget ends() {
        return ends;
    }
}
