package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.LogBudget;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server without its sockets and threads: given loops, it serves any connection handed to {@link
 * #accept}. What a simulation runs is this class.
 */
public final class ServerNode {
    private static final Logger LOG = LoggerFactory.getLogger(ServerNode.class);

    /** The longest time for which a new connection may be silent. */
    private static final long HELLO_NANOS = 10_000_000_000L;

    /** Time between two looks at the files that say who is let in. */
    private static final long LOOK_NANOS = 1_000_000_000L;

    /** The longest time that the answer to a client that is not let in may take to reach it. */
    private static final long REFUSAL_NANOS = 1_000_000_000L;

    /** The most lines a minute of a log about clients that are not let in. */
    private static final int LOG_LINES = 100;

    /** The most bytes not sent before a hello: more than the answer to it. */
    private static final int UNSENT_BEFORE_HELLO = 64 * 1024;

    private final ServerConfig config;
    private final long id;
    private final Authenticator clients;
    private final LogBudget refusals = new LogBudget(LOG_LINES);
    private final Loop controlLoop;
    private final ControlPlane control;
    private final List<Owner> owners = new ArrayList<>();
    private boolean closed;

    /**
     * Returns a node on the given loops.
     *
     * @param work how cuts are written; null: there are none
     * @param id identity of this instance, so that a client notices a restart
     * @param ownerLoops one per owner thread
     */
    public ServerNode(
            ServerConfig config, CutWork work, long id, Loop controlLoop, List<Loop> ownerLoops) {
        this.config = config;
        this.id = id;
        this.clients = new Authenticator(config.security());
        this.controlLoop = controlLoop;
        for (Loop loop : ownerLoops) {
            owners.add(new Owner(loop, config));
        }
        this.control =
                new ControlPlane(
                        controlLoop, List.copyOf(owners), config, config.security().rules(), work);
        if (clients.looks()) {
            controlLoop.schedule(this::look, LOOK_NANOS);
        }
    }

    private void look() {
        if (!closed) {
            try {
                clients.look();
            } finally {
                controlLoop.schedule(this::look, LOOK_NANOS);
            }
        }
    }

    /** Returns the first handler of a new connection; called on the control loop. */
    public FrameHandler accept(Connection connection) {
        connection.limitUnsent(UNSENT_BEFORE_HELLO);
        Hello hello = new Hello();
        hello.closeIn(HELLO_NANOS, connection);
        return hello;
    }

    public long id() {
        return id;
    }

    /**
     * Asks all loops what there is; any thread may call it. The answer comes when each has come to
     * it, on one of them, so that one which hangs keeps it away for ever. It is an exception once
     * the server closes.
     */
    public CompletableFuture<ServerReport> report() {
        List<CompletableFuture<ServerReport.OfOwner>> told =
                owners.stream().map(owner -> ask(owner.loop(), owner::report)).toList();
        return CompletableFuture.allOf(told.toArray(CompletableFuture[]::new))
                .thenCompose(
                        all ->
                                ask(
                                        controlLoop,
                                        () ->
                                                control.report(
                                                        told.stream()
                                                                .map(CompletableFuture::join)
                                                                .toList())));
    }

    private static <T> CompletableFuture<T> ask(Loop loop, Supplier<T> question) {
        try {
            return CompletableFuture.supplyAsync(question, loop);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(
                    new PsException(ErrorCode.CLOSED, "the server closes", e));
        }
    }

    /** Returns the owners, for simulations that look at their state between two events. */
    List<Owner> owners() {
        return List.copyOf(owners);
    }

    /** Tells the control loop that a client has a connection less. Any thread may call it. */
    private void disconnected(Connection connection) {
        long client = connection.client();
        try {
            controlLoop.execute(() -> control.disconnected(client));
        } catch (RejectedExecutionException e) {
            // The server closes: there are no sessions any more.
        }
    }

    /** Handles what comes over a connection whose client has said who it is. */
    private final class Known implements FrameHandler {
        private final FrameHandler handler;

        Known(FrameHandler handler) {
            this.handler = handler;
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            handler.onFrame(connection, frame);
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {
            disconnected(connection);
            handler.onClosed(connection, cause);
        }
    }

    /** Takes the hello, and hands the connection to the owner it names. */
    private final class Hello extends RequestHandler {
        private boolean said;
        private boolean over;

        /** Ends the wait for the connection's end; a timer keeps what it closes. */
        private volatile Runnable endWait = () -> {};

        void closeIn(long nanos, Connection connection) {
            endWait.run();
            endWait = controlLoop.schedule(connection::close, nanos);
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {
            endWait.run();
            super.onClosed(connection, cause);
            if (said) { // closed on its way to the owner
                disconnected(connection);
            }
        }

        private void checkSpoken(HelloMessage.Request hello) {
            int version = FrameHeader.PROTOCOL_VERSION;
            if (hello.minVersion() > version || hello.maxVersion() < version) {
                throw new PsException(
                        ErrorCode.UNSUPPORTED_VERSION,
                        "the server speaks protocol version "
                                + version
                                + ", the client "
                                + hello.minVersion()
                                + " to "
                                + hello.maxVersion());
            }
            if (hello.mechanism() != HelloMessage.NO_CREDENTIAL
                    && hello.mechanism() != HelloMessage.TOKEN) {
                throw new PsException(
                        ErrorCode.UNSUPPORTED_VERSION,
                        "authentication mechanism " + hello.mechanism() + " is not known");
            }
        }

        /** Takes nothing more on this connection, whatever was wrong with what it began with. */
        @Override
        void refused(Connection connection, Throwable why) {
            over = true;
            connection.stopReading();
            closeIn(REFUSAL_NANOS, connection);
            if (refusals.take()) {
                LOG.info("{} is not let in: {}", connection.peer(), why.getMessage());
            }
        }

        /** Lets a client in, or answers once. */
        @Override
        void handle(ApiKey api, Connection connection, ByteBuf frame) {
            if (over) {
                frame.release();
                return;
            }
            control.checkOpen();
            if (api != ApiKey.HELLO) {
                throw new PsException(
                        ErrorCode.MALFORMED, "a connection begins with HELLO, not " + api);
            }
            HelloMessage.Request hello = HelloMessage.Request.decode(frame);
            checkSpoken(hello);
            Authenticator.Client client = clients.client(connection, hello);
            connection.client(client.identity(), client.name());
            if (hello.owner() < HelloMessage.CONTROL || hello.owner() >= owners.size()) {
                throw new PsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "no owner thread " + hello.owner() + " of " + owners.size());
            }
            long correlation = FrameHeader.correlation(frame);
            int mostBytes = config.requests().maxFrameBytes();
            connection.limitUnsent(config.requests().inFlightBytes());
            Loop loop = controlLoop;
            FrameHandler handler = control;
            if (hello.owner() == HelloMessage.CONTROL
                    && mostBytes > FrameHeader.CONTROL_FRAME_LIMIT) {
                connection.limitFrames(
                        FrameHeader.CONTROL_FRAME_LIMIT, FrameHeader.MOST_OF_CONTROL);
            } else {
                connection.limitFrames(mostBytes, FrameHeader.MOST_BY_OPTION);
            }
            if (hello.owner() != HelloMessage.CONTROL) {
                Owner owner = owners.get(hello.owner());
                loop = owner.loop();
                handler = owner;
            }
            said = true;
            endWait.run();
            control.connected(connection.client());
            ControlAnswer answer = new ControlAnswer(api, connection, correlation);
            connection
                    .move(loop, new Known(handler))
                    .thenRun(
                            () ->
                                    answer.sendFrame(
                                            () ->
                                                    new HelloMessage.Response(
                                                                    FrameHeader.PROTOCOL_VERSION,
                                                                    owners.size(),
                                                                    id,
                                                                    mostBytes)
                                                            .encode(
                                                                    connection.allocator(),
                                                                    correlation)));
            frame.release();
        }
    }

    /** Drops all state; each owner on its own loop, if that has not died. */
    public void close() {
        execute(
                controlLoop,
                () -> {
                    closed = true;
                    control.close();
                });
        for (Owner owner : owners) {
            execute(owner.loop(), owner::close);
        }
    }

    private static void execute(Loop loop, Runnable command) {
        try {
            loop.execute(command);
        } catch (RejectedExecutionException e) {
            LOG.warn("A loop has died; what it kept goes with its transport", e);
        }
    }
}
