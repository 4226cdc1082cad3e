package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.protocol.OpenModelMessage;
import io.github.flinkps.protocol.TableMessage;
import io.github.flinkps.security.Token;
import io.github.flinkps.transport.Transport;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** A client of any number of servers over any transport. */
final class ShardedParameterClient implements ParameterClient {
    private static final byte[] NO_CREDENTIAL = {};
    private static final long SWEEP_NANOS = 10_000_000;

    private final Transport transport;
    private final List<String> addresses;
    private final ClientConfig config;
    private final long id;
    private final IntFunction<HelloMessage.Request> hello;
    private final Traffic traffic = new Traffic();
    private final ServerLink[] controls;
    private final TableRequests requests;
    private final FenceRequests fences;
    private final List<ClientSession> sessions = new ArrayList<>();
    private Topology topology;
    private ServerLink[] links;
    private boolean closed;

    /** Takes ownership of the transport. */
    ShardedParameterClient(Transport transport, List<String> addresses, ClientConfig config) {
        this.transport = transport;
        this.addresses = List.copyOf(addresses);
        this.config = config;
        this.id = new SecureRandom().nextLong();
        String tokenFile = config.security().tokenFile();
        Token token = tokenFile == null ? null : Token.ofClient(tokenFile);
        this.hello =
                owner ->
                        HelloMessage.Request.of(
                                owner, id, token == null ? NO_CREDENTIAL : token.credential());
        this.controls = new ServerLink[addresses.size()];
        for (int server = 0; server < controls.length; server++) {
            controls[server] = link(server, HelloMessage.CONTROL, 0);
        }
        this.requests = new TableRequests(controls, transport.loop());
        this.fences = new FenceRequests(controls, requests, transport.loop());
        transport.loop().schedule(this::sweep, SWEEP_NANOS);
    }

    private ServerLink link(int server, int owner, long identity) {
        return new ServerLink(
                transport, addresses.get(server), owner, identity, hello, config, traffic);
    }

    private void sweep() {
        ServerLink[] owners;
        synchronized (this) {
            if (closed) {
                return;
            }
            owners = links;
        }
        for (ServerLink control : controls) {
            control.sweep();
        }
        if (owners != null) {
            for (ServerLink link : owners) {
                link.sweep();
            }
        }
        transport.loop().schedule(this::sweep, SWEEP_NANOS);
    }

    /** Reaches every server; completes when it is known how many owner threads each has. */
    private CompletableFuture<Void> connect() {
        List<CompletableFuture<HelloMessage.Response>> hellos = new ArrayList<>();
        for (ServerLink control : controls) {
            hellos.add(control.connect());
        }
        return TableRequests.join(hellos).thenAccept(this::learn);
    }

    private synchronized void learn(List<HelloMessage.Response> hellos) {
        if (links != null) {
            return;
        }
        topology = new Topology(hellos.stream().mapToInt(HelloMessage.Response::owners).toArray());
        ServerLink[] made = new ServerLink[topology.links()];
        for (int link = 0; link < made.length; link++) {
            int server = topology.server(link);
            made[link] =
                    link(server, topology.owner(link), hellos.get(server).server())
                            .knowing(controls[server]);
        }
        links = made;
        if (closed) {
            for (ServerLink link : made) {
                link.close();
            }
        }
    }

    @Override
    public CompletableFuture<ModelSession> open(SessionSpec spec) {
        return connect()
                .thenCompose(
                        done ->
                                requests.askAll(
                                        server ->
                                                request(spec, server)
                                                        .encode(ServerLink.allocator()),
                                        spec.timeout(),
                                        OpenModelMessage.Response::decode))
                .thenApply(answers -> session(spec, answers));
    }

    private OpenModelMessage.Request request(SessionSpec spec, int server) {
        return new OpenModelMessage.Request(
                spec.model(),
                spec.run(),
                spec.fence(),
                spec.worker(),
                spec.workers(),
                spec.consistency(),
                server,
                controls.length);
    }

    private synchronized ModelSession session(
            SessionSpec spec, List<OpenModelMessage.Response> answers) {
        if (closed) {
            throw new PsException(ErrorCode.CLOSED, "the client is closed");
        }
        int[] ids = answers.stream().mapToInt(OpenModelMessage.Response::session).toArray();
        checkNew(spec);
        ClientSession session =
                new ClientSession(spec, config, topology, links, ids, requests, transport.loop());
        for (TableMessage table : answers.get(0).tables()) {
            int[] numbers =
                    answers.stream()
                            .flatMap(answer -> answer.tables().stream())
                            .filter(other -> other.spec().equals(table.spec()))
                            .filter(other -> other.input() == table.input())
                            .mapToInt(TableMessage::id)
                            .toArray();
            // One that another session is just creating or dropping is not at all servers.
            if (numbers.length == controls.length) {
                session.learn(new TableRequests.Found(table.spec(), table.input(), numbers));
            }
        }
        sessions.add(session);
        return session;
    }

    /**
     * Checks that this client has not opened the same worker of the attempt before. A worker's log
     * has one writer: a second session would number its entries anew.
     */
    private void checkNew(SessionSpec spec) {
        for (ClientSession before : sessions) {
            SessionSpec other = before.spec();
            if (spec.worker() >= 0
                    && other.worker() == spec.worker()
                    && other.fence() == spec.fence()
                    && other.model().equals(spec.model())) {
                throw new PsException(
                        ErrorCode.CONFLICTING_DEFINITION,
                        "worker "
                                + spec.worker()
                                + " of model '"
                                + spec.model()
                                + "' has been opened already; a new attempt needs a higher fence"
                                + " than "
                                + spec.fence());
            }
        }
    }

    @Override
    public CompletableFuture<Long> grantFence(
            String model, String run, String attempt, Duration timeout) {
        return connect().thenCompose(done -> fences.grant(model, run, attempt, timeout));
    }

    @Override
    public CompletableFuture<Boolean> hasAttempt(String model, String attempt, Duration timeout) {
        return connect().thenCompose(done -> fences.has(model, attempt, timeout));
    }

    @Override
    public CompletableFuture<Void> dropModel(String model, long fence, Duration timeout) {
        return requests.dropModel(model, fence, timeout).thenRun(() -> forget(model));
    }

    @Override
    public CompletableFuture<Boolean> keepModel(
            String model, String run, long fence, Duration timeout) {
        return requests.dropModelUnless(model, fence, run, timeout)
                .thenCompose(
                        kept ->
                                kept.contains(false)
                                        ? dropModel(model, fence, timeout).thenApply(gone -> false)
                                        : CompletableFuture.completedFuture(true));
    }

    private synchronized void forget(String model) {
        sessions.removeIf(session -> session.spec().model().equals(model));
    }

    @Override
    public CompletableFuture<List<String>> models(Duration timeout) {
        return connect().thenCompose(done -> requests.models(timeout));
    }

    @Override
    public CompletableFuture<List<ServerStats>> stats(Duration timeout) {
        return connect().thenCompose(done -> requests.stats(timeout));
    }

    @Override
    public TrafficCounters traffic() {
        return traffic.counters();
    }

    @Override
    public void close() {
        List<ClientSession> open;
        ServerLink[] owners;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(sessions);
            owners = links == null ? new ServerLink[0] : links;
        }
        open.forEach(ClientSession::close);
        for (ServerLink link : owners) {
            link.close();
        }
        for (ServerLink control : controls) {
            control.close();
        }
        transport.close();
    }
}
