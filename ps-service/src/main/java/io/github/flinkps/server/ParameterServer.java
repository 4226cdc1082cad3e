package io.github.flinkps.server;

import io.github.flinkps.common.Endpoint;
import io.github.flinkps.model.ConfinedStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.security.Tls;
import io.github.flinkps.transport.ConnectionTraffic;
import io.github.flinkps.transport.HeapFailure;
import io.github.flinkps.transport.LocalTransport;
import io.github.flinkps.transport.Loop;
import io.github.flinkps.transport.NettyTransport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: its threads, its socket, and its name within this process, by which it is
 * reached without a socket. Safe for use by any thread.
 */
public final class ParameterServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ParameterServer.class);
    private static final long CLOSE_SECONDS = 5;
    private static final int HEAP_RESERVE_BYTES = 1 << 20;

    private final ServerConfig config;
    private final HeapFailure heap = new HeapFailure(HEAP_RESERVE_BYTES);
    private final NettyTransport transport;
    private final ServerNode node;
    private final ExecutorService cutThread;
    private final BufferAllocator cutMemory;
    private final int port;
    private final Runnable leaveDirectory;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ParameterServer(ServerConfig config, ModelStorage storage) {
        this.config = config;
        this.transport =
                new NettyTransport(
                        "flink-ps-server",
                        1 + config.owners(),
                        config.requests().maxFrameBytes(),
                        tls(config),
                        config.connections().limits(),
                        heap);
        List<Loop> loops = transport.loops();
        long id = ThreadLocalRandom.current().nextLong();
        this.cutThread = storage == null ? null : cutThread();
        this.cutMemory = new RootAllocator();
        try {
            CutWork work =
                    storage == null
                            ? null
                            : new CutWork(
                                    confined(config, storage),
                                    cutMemory,
                                    heap.watch(cutThread),
                                    CutRehearsal::tryToRun);
            this.node =
                    new ServerNode(config, work, id, loops.get(0), loops.subList(1, loops.size()));
            this.port =
                    transport.listen(
                            config.listen().host(),
                            config.listen().port(),
                            node::accept,
                            FrameHeader.HELLO_FRAME_LIMIT);
        } catch (RuntimeException e) {
            transport.close();
            throw e;
        }
        this.leaveDirectory = LocalTransport.serve(localName(), loops.get(0), node::accept);
    }

    private static void checkAdvertised(String advertise) {
        if (advertise.isBlank()) {
            throw new IllegalArgumentException("advertise must be a name or an address, not empty");
        }
        try {
            InetAddress.getByName(advertise);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "advertise "
                            + advertise
                            + " is not known on this machine: give a name or an address, without a"
                            + " port, by which clients reach it",
                    e);
        }
    }

    private static boolean isLoopback(String host) {
        return ServerSecurity.isLoopback(ServerConfig.Listen.HOST.key(), host);
    }

    /** Returns the storage as far as clients may name files in it. */
    private static ModelStorage confined(ServerConfig config, ModelStorage storage) {
        boolean ofOwnUser =
                config.security().isOfPeers()
                        || isLoopback(config.listen().host()) && !config.security().asks();
        if (config.modelRoot() == null && ofOwnUser) {
            return storage;
        }
        try {
            return new ConfinedStorage(storage, config.modelRoot());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ServerConfig.MODEL_ROOT.key() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static Tls tls(ServerConfig config) {
        ServerSecurity security = config.security();
        String host = config.listen().host();
        isLoopback(host); // is a host
        checkAdvertised(config.listen().advertise());
        if (security.plaintext()) {
            LOG.warn(
                    "insecure-plaintext: whoever reaches {} may read, change and drop every model",
                    host);
        }
        security.checkListens(ServerConfig.Listen.HOST.key(), host);
        return security.encryption();
    }

    private static ExecutorService cutThread() {
        return Executors.newSingleThreadExecutor(
                work -> {
                    Thread thread = new Thread(work, "flink-ps-cuts");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /**
     * Starts a server without cuts.
     *
     * @throws io.github.flinkps.common.PsException IO when its address cannot be bound
     * @throws IllegalArgumentException naming the option to change, if it would be reached from
     *     other machines without encryption and authentication, a file of keys is wrong, or what it
     *     advertises is not known
     */
    public static ParameterServer start(ServerConfig config) {
        return new ParameterServer(config, null);
    }

    /**
     * Starts a server whose cuts go to a storage.
     *
     * @throws io.github.flinkps.common.PsException IO when its address cannot be bound
     * @throws IllegalArgumentException naming the option to change, if it would be reached from
     *     other machines without encryption and authentication, a file of keys is wrong, or what it
     *     advertises is not known
     */
    public static ParameterServer start(ServerConfig config, ModelStorage storage) {
        return new ParameterServer(config, storage);
    }

    /**
     * Returns what completes when the heap is exhausted to its last bytes, so that a request could
     * not even be answered with an error: the host must end the server. Completed by a thread of
     * the server, which does nothing else meanwhile.
     */
    public CompletableFuture<OutOfMemoryError> heapExhausted() {
        return heap.future();
    }

    /** Asks all threads of the server what there is, as {@link ServerNode#report} does. */
    public CompletableFuture<ServerReport> report() {
        return node.report();
    }

    /** Returns the number of connections that clients have over sockets. */
    public int connections() {
        return transport.connections();
    }

    /** Returns the count of what has gone over sockets. */
    public ConnectionTraffic traffic() {
        return transport.traffic();
    }

    public int port() {
        return port;
    }

    /** Returns where clients reach it, {@code host:port}. */
    public String address() {
        return new Endpoint(config.listen().advertise(), port).toString();
    }

    /** Returns the name under which {@link LocalTransport} knows it. */
    public String localName() {
        return "flink-ps-" + Long.toHexString(node.id());
    }

    /** Drops all state and closes socket and threads within seconds; idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        leaveDirectory.run();
        node.close();
        CountDownLatch drained = new CountDownLatch(transport.loops().size());
        for (Loop loop : transport.loops()) {
            try {
                loop.execute(drained::countDown);
            } catch (RejectedExecutionException e) {
                drained.countDown(); // it has died
            }
        }
        try {
            drained.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        transport.close();
        if (cutThread == null) {
            cutMemory.close();
        } else {
            endCuts();
        }
    }

    /**
     * Shuts down the thread that writes cuts, and waits for it for at most {@link #CLOSE_SECONDS}.
     * Nobody waits any more for the cuts that it still writes; it releases their memory at its end,
     * whenever the storage lets it get there.
     */
    private void endCuts() {
        CompletableFuture<Void> released = CompletableFuture.runAsync(cutMemory::close, cutThread);
        cutThread.shutdown();
        try {
            released.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOG.warn("A cut is still being written {} s after the end", CLOSE_SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
