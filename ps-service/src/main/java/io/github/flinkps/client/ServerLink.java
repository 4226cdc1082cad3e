package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.Loop;
import io.github.flinkps.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The way to one owner thread, or to the control loop, of one server: connects when needed, sends
 * requests in order, and sends them again after a lost connection, in the same order, until they
 * are answered or their deadline passes. Any thread.
 */
final class ServerLink implements FrameHandler {
    private static final long HELLO = 0;

    /**
     * Bytes of requests and expected answers under way, beyond which requests wait here unencoded.
     */
    private static final long WINDOW_BYTES = 8 << 20;

    private static final long FIRST_BACKOFF_NANOS = 20_000_000;

    private final Transport transport;
    private final String address;
    private final int owner;
    private final long client;
    private final ClientConfig config;
    private final Traffic traffic;
    private final Loop loop;

    private final Object lock = new Object();
    private final Map<Long, PendingRequest> inFlight = new LinkedHashMap<>();
    private final CompletableFuture<HelloMessage.Response> firstHello = new CompletableFuture<>();
    private final ArrayDeque<PendingRequest> unsent = new ArrayDeque<>();
    private long unanswered;
    private Connection connection;
    private boolean ready;
    private boolean connecting;
    private boolean closed;
    private long nextCorrelation = 1;
    private long lostSince;
    private int attempts;
    private PsException lastError;

    ServerLink(
            Transport transport,
            String address,
            int owner,
            long client,
            ClientConfig config,
            Traffic traffic) {
        this.transport = transport;
        this.loop = transport.loop();
        this.address = address;
        this.owner = owner;
        this.client = client;
        this.config = config;
        this.traffic = traffic;
    }

    String address() {
        return address;
    }

    /** Connects if not connected yet; completes with the server's first hello. */
    CompletableFuture<HelloMessage.Response> connect() {
        synchronized (lock) {
            if (!ready && !connecting && !closed) {
                beginConnecting();
            }
        }
        return firstHello;
    }

    /** Sends a request, in its turn; it is answered, or fails by its deadline. */
    void send(PendingRequest request) {
        synchronized (lock) {
            if (!closed) {
                request.number(nextCorrelation++);
                inFlight.put(request.correlation(), request);
                unsent.add(request);
                if (ready) {
                    pump();
                } else if (!connecting) {
                    beginConnecting();
                }
                return;
            }
        }
        request.onFailure(new PsException(ErrorCode.CLOSED, "the client is closed"));
    }

    /** Sends what waits, as far as the window allows; under the lock. */
    private void pump() {
        while (!unsent.isEmpty() && (unanswered == 0 || unanswered < WINDOW_BYTES)) {
            PendingRequest request = unsent.poll();
            if (inFlight.containsKey(request.correlation())) {
                request.markSent(true);
                unanswered += request.windowBytes();
                transmit(request, false);
            }
        }
    }

    private void transmit(PendingRequest request, boolean spellKeys) {
        ByteBuf frame = request.encode(spellKeys);
        FrameHeader.setCorrelation(frame, request.correlation());
        long left = (request.deadlineNanos() - loop.nanoTime()) / 1_000_000;
        FrameHeader.setWord(frame, (int) Math.max(1, Math.min(left, Integer.MAX_VALUE)));
        traffic.sent(frame.readableBytes());
        connection.send(frame);
    }

    /** A request is over; under the lock. */
    private void forget(PendingRequest request) {
        if (request.isSent()) {
            unanswered -= request.windowBytes();
        }
        if (ready) {
            pump();
        }
    }

    /** Under the lock. */
    private void beginConnecting() {
        connecting = true;
        if (lostSince == 0) {
            lostSince = loop.nanoTime();
        }
        long timeout = config.connectTimeout().toNanos();
        transport.connect(address, this, timeout).whenComplete(this::connected);
    }

    private void connected(Connection made, Throwable error) {
        if (error != null) {
            Throwable cause =
                    error.getCause() != null && !(error instanceof PsException)
                            ? error.getCause()
                            : error;
            lost(
                    null,
                    cause instanceof PsException known
                            ? known
                            : new PsException(
                                    ErrorCode.DISCONNECTED,
                                    "cannot reach server " + address + ": " + cause,
                                    cause));
            return;
        }
        ByteBuf hello =
                new HelloMessage.Request(
                                FrameHeader.PROTOCOL_VERSION,
                                FrameHeader.PROTOCOL_VERSION,
                                owner,
                                0,
                                client)
                        .encode(made.allocator());
        synchronized (lock) {
            connection = made;
        }
        made.send(hello);
    }

    @Override
    public void onFrame(Connection from, ByteBuf frame) {
        traffic.received(frame.readableBytes());
        try {
            long correlation = FrameHeader.correlation(frame);
            PsException error = ErrorFrame.of(frame);
            if (correlation == HELLO) {
                onHello(frame, error);
            } else {
                onResponse(correlation, frame, error);
            }
        } finally {
            frame.release();
        }
    }

    private void onHello(ByteBuf frame, PsException error) {
        if (error != null) {
            PsException said =
                    new PsException(
                            error.code(), "server " + address + ": " + error.getMessage(), error);
            failAll(said);
            firstHello.completeExceptionally(said);
            return;
        }
        HelloMessage.Response hello = HelloMessage.Response.decode(frame);
        synchronized (lock) {
            ready = true;
            connecting = false;
            lostSince = 0;
            attempts = 0;
            connection.limitFrames(config.maxFrameBytes());
            unsent.clear();
            unanswered = 0;
            for (PendingRequest request : inFlight.values()) {
                request.markSent(false);
                unsent.add(request);
            }
            pump();
        }
        firstHello.complete(hello);
    }

    private void onResponse(long correlation, ByteBuf frame, PsException error) {
        PendingRequest request;
        synchronized (lock) {
            request = inFlight.get(correlation);
            if (request == null || (error != null && retry(request, error))) {
                return;
            }
            inFlight.remove(correlation);
            forget(request);
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
        }
    }

    /** Whether the request will be tried again; under the lock. */
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
        lost(
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
     * The connection is gone or was not made: tries again while somebody waits, but not for ever.
     */
    private void lost(Connection gone, PsException error) {
        synchronized (lock) {
            if (closed || (gone != null && gone != connection)) {
                return;
            }
            connection = null;
            ready = false;
            connecting = false;
            lastError = error;
            long now = loop.nanoTime();
            lostSince = lostSince == 0 ? now : lostSince;
            long patience =
                    (firstHello.isDone() ? config.reconnectTimeout() : config.connectTimeout())
                            .toNanos();
            boolean waited = now - lostSince >= patience;
            if (!waited && (!inFlight.isEmpty() || !firstHello.isDone())) {
                connecting = true;
                long backoff = FIRST_BACKOFF_NANOS << Math.min(attempts++, 5);
                loop.schedule(this::reconnect, backoff);
                return;
            }
            lostSince = 0;
            attempts = 0;
        }
        failAll(error);
        firstHello.completeExceptionally(error);
    }

    private void reconnect() {
        synchronized (lock) {
            if (!closed) {
                beginConnecting();
            }
        }
    }

    /** Sends retries that are due and fails what is too late; called every few milliseconds. */
    void sweep() {
        List<PendingRequest> late = new ArrayList<>();
        synchronized (lock) {
            long now = loop.nanoTime();
            for (Iterator<PendingRequest> requests = inFlight.values().iterator();
                    requests.hasNext(); ) {
                PendingRequest request = requests.next();
                if (now - request.deadlineNanos() >= 0) {
                    requests.remove();
                    unanswered -= request.isSent() ? request.windowBytes() : 0;
                    late.add(request);
                } else if (ready && request.due(now)) {
                    request.markSent(true);
                    transmit(request, false);
                }
            }
            if (ready) {
                pump();
            }
        }
        for (PendingRequest request : late) {
            PsException cause = request.lastError() != null ? request.lastError() : lastError;
            request.onFailure(
                    new PsException(
                            ErrorCode.TIMEOUT,
                            "server "
                                    + address
                                    + " did not answer in time"
                                    + (cause == null ? "" : "; last: " + cause.getMessage()),
                            cause));
        }
    }

    private void failAll(PsException error) {
        List<PendingRequest> all;
        synchronized (lock) {
            all = new ArrayList<>(inFlight.values());
            inFlight.clear();
            unsent.clear();
            unanswered = 0;
        }
        for (PendingRequest request : all) {
            request.onFailure(error);
        }
    }

    void close() {
        Connection open;
        synchronized (lock) {
            closed = true;
            ready = false;
            open = connection;
            connection = null;
        }
        PsException gone = new PsException(ErrorCode.CLOSED, "the client is closed");
        failAll(gone);
        firstHello.completeExceptionally(gone);
        if (open != null) {
            open.close();
        }
    }

    /** Where frames for this link are allocated. */
    static PooledByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }
}
