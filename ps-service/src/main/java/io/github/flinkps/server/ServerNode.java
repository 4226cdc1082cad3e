package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
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

/**
 * A server without its sockets and threads: given loops, it serves any connection handed to {@link
 * #accept}. What a simulation runs is this class.
 */
public final class ServerNode {
    /** How long a new connection may be silent. */
    private static final long HELLO_NANOS = 30_000_000_000L;

    private final ServerConfig config;
    private final long id;
    private final Loop controlLoop;
    private final ControlPlane control;
    private final List<Owner> owners = new ArrayList<>();

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
        this.controlLoop = controlLoop;
        for (Loop loop : ownerLoops) {
            owners.add(new Owner(loop, config));
        }
        this.control = new ControlPlane(controlLoop, List.copyOf(owners), config, work);
    }

    /** Returns the first handler of a new connection; called on the control loop. */
    public FrameHandler accept(Connection connection) {
        Hello hello = new Hello();
        controlLoop.schedule(() -> hello.closeIfSilent(connection), HELLO_NANOS);
        return hello;
    }

    public long id() {
        return id;
    }

    /** Returns the owners, for simulations that look at their state between two events. */
    List<Owner> owners() {
        return List.copyOf(owners);
    }

    /** Takes the hello, and hands the connection to the owner it names. */
    private final class Hello extends RequestHandler {
        private boolean said;

        void closeIfSilent(Connection connection) {
            if (!said) {
                connection.close();
            }
        }

        @Override
        void handle(ApiKey api, Connection connection, ByteBuf frame) {
            control.checkOpen();
            if (api != ApiKey.HELLO) {
                throw new PsException(
                        ErrorCode.MALFORMED, "a connection begins with HELLO, not " + api);
            }
            HelloMessage.Request hello = HelloMessage.Request.decode(frame);
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
            if (hello.mechanism() != 0) {
                throw new PsException(
                        ErrorCode.UNSUPPORTED_VERSION,
                        "authentication mechanism " + hello.mechanism() + " is not known");
            }
            if (hello.owner() < HelloMessage.CONTROL || hello.owner() >= owners.size()) {
                throw new PsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "no owner thread " + hello.owner() + " of " + owners.size());
            }
            long correlation = FrameHeader.correlation(frame);
            connection.limitFrames(config.requests().maxFrameBytes());
            connection.limitUnsent(config.requests().inFlightBytes());
            Loop loop = controlLoop;
            FrameHandler handler = control;
            connection.client(hello.client());
            if (hello.owner() != HelloMessage.CONTROL) {
                Owner owner = owners.get(hello.owner());
                loop = owner.loop();
                handler = owner;
            }
            said = true;
            ControlAnswer answer = new ControlAnswer(api, connection, correlation);
            connection
                    .move(loop, handler)
                    .thenRun(
                            () ->
                                    answer.sendFrame(
                                            () ->
                                                    new HelloMessage.Response(
                                                                    version,
                                                                    owners.size(),
                                                                    id,
                                                                    config.requests()
                                                                            .maxFrameBytes())
                                                            .encode(
                                                                    connection.allocator(),
                                                                    correlation)));
            frame.release();
        }
    }

    /** Drops all state; each owner on its own loop. */
    public void close() {
        controlLoop.execute(control::close);
        for (Owner owner : owners) {
            owner.loop().execute(owner::close);
        }
    }
}
