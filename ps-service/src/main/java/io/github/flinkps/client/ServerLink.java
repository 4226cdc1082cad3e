package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.Loop;
import io.github.flinkps.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntFunction;

/**
 * The way to one owner thread, or to the control loop, of one server. Connects when needed, and
 * sends requests in order. Sends them again after a lost connection, in the same order, until they
 * are answered or their deadline passes. Any thread.
 */
final class ServerLink implements FrameHandler {
    private static final long HELLO = 0;
    private static final long PING = -1;

    private static final long FIRST_BACKOFF_NANOS = 20_000_000;

    /** The time in which an answer travels, a quarter of a request's time at most. */
    private static final long ANSWER_NANOS = 400_000_000;

    private final Transport transport;
    private final String address;
    private final int owner;
    private final IntFunction<HelloMessage.Request> hello;
    private final ClientConfig config;
    private final Traffic traffic;
    private final Loop loop;

    private final Object lock = new Object();
    private final Map<Long, PendingRequest> inFlight = new LinkedHashMap<>();
    private final SendWindow common = new SendWindow();
    private final Heartbeat heartbeat;
    private CompletableFuture<HelloMessage.Response> firstHello = new CompletableFuture<>();

    /** Identity of the server instance that holds our sessions; 0 before it is known. */
    private long server;

    private volatile int serverFrameBytes = Integer.MAX_VALUE;
    private Connection connection;
    private boolean ready;
    private boolean connecting;
    private PsException closed;
    private long nextCorrelation = 1;
    private long lostSince;
    private int attempts;
    private PsException lastError;

    /**
     * A link.
     *
     * @param owner thread of the server, or {@link HelloMessage#CONTROL}
     * @param server identity it must have, or 0 for any
     * @param hello what is said first, by the owner that is wanted
     */
    ServerLink(
            Transport transport,
            String address,
            int owner,
            long server,
            IntFunction<HelloMessage.Request> hello,
            ClientConfig config,
            Traffic traffic) {
        this.transport = transport;
        this.loop = transport.loop();
        this.address = address;
        this.owner = owner;
        this.server = server;
        this.hello = hello;
        this.config = config;
        this.traffic = traffic;
        this.heartbeat = new Heartbeat(config.peerTimeout().toNanos());
    }

    String address() {
        return address;
    }

    /** Takes over what another link to the server knows of it. */
    ServerLink knowing(ServerLink other) {
        serverFrameBytes = other.serverFrameBytes;
        return this;
    }

    /** Returns the largest frame the server takes, in bytes, as far as is known. */
    int serverFrameBytes() {
        return serverFrameBytes;
    }

    /** Returns the window of requests that belong to no session. */
    SendWindow window() {
        return common;
    }

    /** Connects if not connected yet; completes with the server's first hello. */
    CompletableFuture<HelloMessage.Response> connect() {
        CompletableFuture<HelloMessage.Response> hello;
        boolean begin;
        synchronized (lock) {
            if (closed == null && firstHello.isCompletedExceptionally()) {
                firstHello = new CompletableFuture<>();
            }
            hello = firstHello;
            begin = shouldConnect();
        }
        if (begin) {
            connectSoon();
        }
        return hello;
    }

    /** Sends a request, in its turn; it is answered, or fails by its deadline. */
    void send(PendingRequest request) {
        PsException refusal;
        boolean begin = false;
        synchronized (lock) {
            refusal = closed;
            if (refusal == null) {
                request.number(nextCorrelation++);
                inFlight.put(request.correlation(), request);
                request.window().add(request);
                if (ready) {
                    pump(request.window());
                }
                begin = shouldConnect();
            }
        }
        if (begin) {
            connectSoon();
        }
        if (refusal != null) {
            request.onFailure(refusal);
        }
    }

    /** Sends what waits, as far as the window allows; under the lock. */
    private void pump(SendWindow window) {
        for (PendingRequest next = window.poll(); next != null; next = window.poll()) {
            if (inFlight.containsKey(next.correlation())) {
                window.sent(next);
                transmit(next, false);
            }
        }
    }

    private void transmit(PendingRequest request, boolean spellKeys) {
        ByteBuf frame;
        try {
            frame = request.encode(spellKeys);
        } catch (RuntimeException | OutOfMemoryError e) {
            request.failed(
                    new PsException(ErrorCode.INTERNAL, "a request cannot be encoded: " + e, e),
                    loop.nanoTime());
            return;
        }
        PsException excess =
                FrameLimit.excess(frame.readableBytes(), owner, serverFrameBytes, address);
        if (excess != null) {
            request.doom(excess);
            frame.release();
            return;
        }
        FrameHeader.setCorrelation(frame, request.correlation());
        long left = request.deadlineNanos() - loop.nanoTime();
        long millis = (left - Math.min(ANSWER_NANOS, left / 4)) / 1_000_000;
        FrameHeader.setTimeoutMillis(frame, (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE)));
        traffic.sent(frame.readableBytes());
        connection.send(frame);
    }

    /** Ends a request in its window, and sends those that wait there. Call it under the lock. */
    private void forget(PendingRequest request) {
        request.window().done(request);
        if (ready) {
            pump(request.window());
        }
    }

    /** Returns whether the caller has to make a connection once it has left the lock. */
    private boolean shouldConnect() {
        if (ready || connecting || closed != null) {
            return false;
        }
        connecting = true;
        if (lostSince == 0) {
            lostSince = loop.nanoTime();
        }
        return true;
    }

    /**
     * Connects on the loop, or says on another thread that there is none: a transport may know at
     * once that it cannot, and the callers of other sessions are not told under the locks of this
     * one.
     */
    private void connectSoon() {
        try {
            loop.execute(this::makeConnection);
        } catch (RejectedExecutionException e) {
            PsException gone = new PsException(ErrorCode.CLOSED, "the client is closed", e);
            CompletableFuture.runAsync(() -> refused(null, gone, true));
        }
    }

    private void makeConnection() {
        long timeout;
        synchronized (lock) {
            timeout = Math.min(config.connectTimeout().toNanos(), patience());
        }
        transport
                .connect(address, this, timeout)
                .whenComplete((made, error) -> connected(made, error, timeout));
    }

    /** Returns how long the server may stay away; under the lock. */
    private long patience() {
        boolean known = server != 0 || firstHello.isDone();
        return (known ? config.reconnectTimeout() : config.connectTimeout()).toNanos();
    }

    private void connected(Connection made, Throwable error, long timeout) {
        if (error != null) {
            Throwable cause =
                    error.getCause() != null && !(error instanceof PsException)
                            ? error.getCause()
                            : error;
            if (cause instanceof PsException known
                    && (known.code() == ErrorCode.CLOSED
                            || known.code() == ErrorCode.UNAUTHENTICATED)) {
                refused(null, known, known.code() == ErrorCode.CLOSED);
                return;
            }
            connectionLost(
                    null,
                    cause instanceof PsException known
                            ? known
                            : new PsException(
                                    ErrorCode.DISCONNECTED,
                                    "cannot reach server " + address + ": " + cause,
                                    cause));
            return;
        }
        boolean wanted;
        synchronized (lock) {
            wanted = closed == null;
            if (wanted) {
                connection = made;
            }
        }
        if (!wanted) {
            made.close();
            return;
        }
        made.send(hello.apply(owner).encode(made.allocator()));
        loop.schedule(() -> checkHello(made), timeout);
    }

    private void checkHello(Connection made) {
        synchronized (lock) {
            if (connection != made || ready) {
                return;
            }
        }
        connectionLost(
                made,
                new PsException(
                        ErrorCode.TIMEOUT,
                        "server " + address + " took the connection but says nothing"));
        made.close();
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        traffic.received(frame.readableBytes());
        try {
            synchronized (lock) {
                if (from != connection) {
                    return; // given up before; what it answers has been sent again
                }
                heartbeat.heard(loop.nanoTime());
            }
            long correlation = FrameHeader.correlation(frame);
            PsException error = ErrorFrame.of(frame);
            if (correlation == HELLO) {
                onHello(from, frame, error);
            } else if (correlation != PING) {
                onResponse(correlation, frame, ErrorFrame.named(error, address));
            }
        } finally {
            frame.release();
        }
    }

    private void onHello(Connection from, ByteBuf frame, PsException error) {
        if (error != null) {
            boolean internal = error.code() == ErrorCode.INTERNAL; // as if it had said nothing
            PsException known =
                    new PsException(
                            internal ? ErrorCode.DISCONNECTED : error.code(),
                            "server " + address + ": " + error.getMessage(),
                            error);
            if (internal) {
                connectionLost(from, known);
                from.close();
            } else {
                refused(from, known, false);
            }
            return;
        }
        HelloMessage.Response hello = HelloMessage.Response.decode(frame);
        CompletableFuture<HelloMessage.Response> first;
        boolean other;
        synchronized (lock) {
            other = server != 0 && server != hello.server();
            first = firstHello;
            if (!other) {
                server = hello.server();
                serverFrameBytes = hello.maxFrameBytes();
                ready = true;
                connecting = false;
                lostSince = 0;
                attempts = 0;
                connection.limitFrames(config.maxFrameBytes(), FrameHeader.MOST_BY_OPTION);
                sendAllAgain();
            }
        }
        if (other) {
            refused(
                    from,
                    new PsException(
                            ErrorCode.UNKNOWN_SESSION,
                            "server "
                                    + address
                                    + " has been restarted and has lost what it held;"
                                    + " connect anew"),
                    true);
        } else {
            first.complete(hello);
        }
    }

    /** Sends all windows again. Call it under the lock. */
    private void sendAllAgain() {
        Set<SendWindow> windows = new LinkedHashSet<>();
        for (PendingRequest request : inFlight.values()) {
            if (windows.add(request.window())) {
                request.window().clear();
            }
            request.window().add(request);
        }
        windows.forEach(this::pump);
    }

    /**
     * Fails all requests that wait, as the server refuses us; later ones may try again.
     *
     * @param from null if no connection was made
     * @param forGood whether later requests fail too
     */
    private void refused(Connection from, PsException error, boolean forGood) {
        WaitingRequests all;
        synchronized (lock) {
            connection = null;
            ready = false;
            connecting = false;
            lostSince = 0;
            closed = forGood && closed == null ? error : closed;
            all = takeAll();
        }
        if (from != null) {
            from.close();
        }
        all.fail(error);
    }

    /** Takes all requests off the link. Call it under the lock. */
    private WaitingRequests takeAll() {
        List<PendingRequest> all = new ArrayList<>(inFlight.values());
        inFlight.clear();
        all.forEach(request -> request.window().clear());
        return new WaitingRequests(all, firstHello);
    }

    private void onResponse(long correlation, ByteBuf frame, PsException error) {
        PendingRequest request;
        boolean again;
        synchronized (lock) {
            request = inFlight.get(correlation);
            if (request == null) {
                return;
            }
            again = error != null && retry(request, error);
            if (!again) {
                inFlight.remove(correlation);
                forget(request);
            }
        }
        if (again) {
            request.onRetry(error);
            return;
        }
        if (error != null) {
            request.onFailure(error);
            return;
        }
        try {
            request.onAnswer(frame);
        } catch (RuntimeException e) {
            request.onFailure(
                    e instanceof PsException known
                            ? known
                            : new PsException(
                                    ErrorCode.MALFORMED,
                                    "server " + address + " answered: " + e,
                                    e));
        } catch (Error e) {
            request.onFailure(PsException.of(e));
            throw e;
        }
    }

    /** Returns whether the request will be tried again; under the lock. */
    private boolean retry(PendingRequest request, PsException error) {
        long now = loop.nanoTime();
        if (!error.retriable()
                || error.code() == ErrorCode.NOT_OWNER
                || now - request.deadlineNanos() >= 0) {
            return false;
        }
        traffic.retried();
        if (error.code() == ErrorCode.UNKNOWN_KEYS) {
            transmit(request, true);
        } else {
            request.failed(error, now);
        }
        return true;
    }

    @Override
    public void onClosed(Connection from, Throwable cause) {
        if (cause instanceof PsException known && known.code() == ErrorCode.UNAUTHENTICATED) {
            boolean begun;
            synchronized (lock) {
                begun = from == connection && !ready;
            }
            if (begun) {
                refused(
                        null,
                        new PsException(
                                known.code(),
                                "server " + address + ": " + known.getMessage(),
                                known),
                        false);
                return;
            }
        }
        connectionLost(
                from,
                new PsException(
                        ErrorCode.DISCONNECTED,
                        "server "
                                + address
                                + " closed the connection"
                                + (cause == null ? "" : ": " + cause.getMessage()),
                        cause));
    }

    /**
     * Tries again after the connection was lost or was not made, while somebody waits, but not for
     * ever: then it fails all that wait.
     */
    private void connectionLost(Connection gone, PsException error) {
        WaitingRequests all;
        PsException why;
        synchronized (lock) {
            if (closed != null || (gone != null && gone != connection)) {
                return;
            }
            connection = null;
            ready = false;
            connecting = false;
            lastError = error;
            long now = loop.nanoTime();
            lostSince = lostSince == 0 ? now : lostSince;
            boolean waited = now - lostSince >= patience();
            if (!waited && (!inFlight.isEmpty() || !firstHello.isDone())) {
                connecting = true;
                long backoff = FIRST_BACKOFF_NANOS << Math.min(attempts++, 5);
                loop.schedule(this::makeConnection, backoff);
                return;
            }
            lostSince = 0;
            attempts = 0;
            all = takeAll();
            why = heartbeat.explain(error);
        }
        all.fail(why);
    }

    /**
     * Returns the connection if it is to be given up, as its server has been silent for too long;
     * else null. Sends a ping before that, which a server that is alive answers. Called on the
     * connection's loop.
     */
    private Connection silent(long now) {
        if (!ready || inFlight.isEmpty() || connection.isLocal()) {
            heartbeat.idle(now);
            return null;
        }
        heartbeat.progress(connection.progress(), now);
        Heartbeat.Due due = heartbeat.due(now);
        if (due == Heartbeat.Due.PING) {
            ByteBuf ping = new ControlWriter(allocator()).request(ApiKey.PING);
            FrameHeader.setCorrelation(ping, PING);
            connection.send(ping);
        }
        return due == Heartbeat.Due.GIVE_UP ? connection : null;
    }

    /**
     * Sends retries that are due, fails what is too late, and gives up a connection whose server
     * has vanished; called every few milliseconds.
     */
    void sweep() {
        List<PendingRequest> late = new ArrayList<>();
        PsException linkError;
        Connection silent;
        PsException silence;
        synchronized (lock) {
            linkError = lastError;
            long now = loop.nanoTime();
            silent = silent(now);
            for (Iterator<PendingRequest> requests = inFlight.values().iterator();
                    requests.hasNext(); ) {
                PendingRequest request = requests.next();
                if (request.isDoomed() || now - request.deadlineNanos() >= 0) {
                    requests.remove();
                    late.add(request);
                } else if (ready && request.due(now)) {
                    request.tryAgain();
                    transmit(request, false);
                }
            }
            late.forEach(this::forget);
            silence = silent == null ? null : heartbeat.failure(address);
        }
        late.forEach(request -> request.onFailure(request.tooLate(address, linkError)));
        if (silent != null) {
            connectionLost(silent, silence);
            silent.close();
        }
    }

    void close() {
        PsException gone = new PsException(ErrorCode.CLOSED, "the client is closed");
        WaitingRequests all;
        Connection open;
        synchronized (lock) {
            closed = gone;
            ready = false;
            open = connection;
            connection = null;
            all = takeAll();
        }
        all.fail(gone);
        if (open != null) {
            open.close();
        }
    }

    /** Returns the allocator of frames for this link. */
    static PooledByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }
}
