package io.github.flinkps.flink.service;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.flink.internal.compat.ProcessConfiguration;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.security.PeerKeys;
import io.github.flinkps.security.PinnedServers;
import io.github.flinkps.security.Token;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.Listen;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.transport.ConnectionLimits;
import io.github.flinkps.transport.LocalTransport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;

/**
 * Parameter servers inside TaskManagers, and clients that reach those of their own process without
 * a socket.
 *
 * <p>The address of such a server is an {@link EmbeddedAddress}. It is reached by TLS, with the
 * keys of the cluster's internal connections where it has some, else with keys that only the job
 * has. Readers also reach it with a token, if the job has a file of tokens. One that is for its
 * machine only, because the TaskManager is, neither encrypts nor asks. The address of a remote
 * server is {@code host:port}.
 */
public class LocalServerBackend implements ServiceBackend {
    /** Begins the names of a job's options for the servers that it brings along. */
    public static final String OPTION_PREFIX = "server-";

    private static final long serialVersionUID = 1L;
    private final TreeMap<String, String> given;
    private final ClientSecurity security;
    private final Duration peerTimeout;

    /** Flink's configuration in this process; null where nobody has told it. */
    private transient volatile Configuration taskManager;

    /** Starts servers with the defaults of their options. */
    public LocalServerBackend() {
        this(Map.of(), ClientSecurity.NONE, ConnectionLimits.PEER_TIMEOUT);
    }

    /**
     * Starts servers with options.
     *
     * @param given texts by the keys of {@link ServerConfig#OPTIONS}; what is not has its default
     * @param security how servers are reached; with the keys of a job: servers for other machines
     *     are started with these, unless the cluster has keys
     * @param peerTimeout after which clients give up a connection to a server that says nothing
     */
    public LocalServerBackend(
            Map<String, String> given, ClientSecurity security, Duration peerTimeout) {
        this.given = new TreeMap<>(given);
        this.security = security;
        this.peerTimeout = peerTimeout;
    }

    /** Returns one with the defaults of all servers' options, whose servers are reached so. */
    public static LocalServerBackend of(ClientSecurity security, Duration peerTimeout) {
        return new LocalServerBackend(Map.of(), security, peerTimeout);
    }

    /** Returns the storage in which a server that is started keeps its cuts. */
    protected ModelStorage storage() {
        return new FlinkModelStorage();
    }

    @Override
    public void open(Configuration ofProcess) {
        taskManager = ofProcess;
    }

    /** Returns what servers for other machines show; null if nothing is known that they would. */
    private PeerKeys peers() {
        Configuration flink = taskManager == null ? ProcessConfiguration.read() : taskManager;
        PeerKeys cluster = ClusterKeys.of(flink);
        return cluster == null ? security.peers() : cluster;
    }

    @Override
    public EmbeddedServer startServer(int index, long fence, TaskHost host) {
        Map<String, String> settings = new TreeMap<>(given);
        String readers = settings.remove(ServerSecurity.TOKEN_FILE.key());
        ServerConfig config = ServerConfig.of(settings, host.heap()).withFence(fence);
        List<String> certificates = List.of();
        if (!host.isMachines()) {
            PeerKeys keys = peers();
            config =
                    config.withListen(new Listen(host.bind(), 0, host.external()))
                            .withSecurity(ServerSecurity.ofPeers(keys, readers));
            certificates = readers == null ? certificates : keys.pinned().fingerprints();
        }
        ParameterServer server = start(config);
        String address =
                new EmbeddedAddress(
                                server.address(),
                                server.localName(),
                                host.isMachines() ? machine() : "",
                                certificates)
                        .toString();
        return new EmbeddedServer() {
            @Override
            public String address() {
                return address;
            }

            @Override
            public CompletableFuture<OutOfMemoryError> heapExhausted() {
                return server.heapExhausted();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    /** Returns what a server says of an option of its own, as said of the job's option. */
    public static IllegalArgumentException refused(IllegalArgumentException ofServer) {
        return new IllegalArgumentException(OPTION_PREFIX + ofServer.getMessage(), ofServer);
    }

    private ParameterServer start(ServerConfig config) {
        try {
            return ParameterServer.start(config, storage());
        } catch (IllegalArgumentException e) {
            boolean token = e.getMessage().startsWith(Token.FILE);
            throw token ? refused(e) : e;
        }
    }

    @Override
    public ParameterClient connect(List<String> addresses, Duration timeout)
            throws ServiceException {
        List<String> nearest = new ArrayList<>();
        boolean remote = false;
        List<EmbeddedAddress> embedded = new ArrayList<>();
        for (String address : addresses) {
            String near = nearest(address);
            nearest.add(near);
            if (!EmbeddedAddress.is(address)) {
                remote = true;
            } else if (!near.startsWith(ParameterClients.LOCAL)
                    && EmbeddedAddress.of(address).machine().isEmpty()) {
                embedded.add(EmbeddedAddress.of(address));
            }
        }
        try {
            return connect(
                    nearest,
                    remote
                            ? security
                            : embedded.isEmpty() ? ClientSecurity.NONE : security(embedded),
                    timeout);
        } catch (IllegalArgumentException e) { // what is published, or a file of this machine
            throw new ServiceException(
                    "servers " + addresses + " cannot be reached: " + e.getMessage(), e);
        }
    }

    private ParameterClient connect(List<String> addresses, ClientSecurity by, Duration timeout) {
        // Sooner than others tire of waiting for a worker that has lost its server, so that the
        // job fails with the loss.
        ClientConfig defaults = ClientConfig.defaults();
        Duration half = timeout.dividedBy(2);
        boolean shorter = half.compareTo(defaults.reconnectTimeout()) < 0;
        return ParameterClients.create(
                addresses,
                defaults.withSecurity(by)
                        .withConnectTimeout(timeout)
                        .withPeerTimeout(peerTimeout)
                        .withReconnectTimeout(shorter ? half : defaults.reconnectTimeout()));
    }

    /** Returns how servers of a job are reached by others than their own process. */
    private ClientSecurity security(List<EmbeddedAddress> servers) throws ServiceException {
        Set<String> certificates = new TreeSet<>();
        servers.forEach(server -> certificates.addAll(server.certificates()));
        if (security.readerTokenFile() != null && !certificates.isEmpty()) {
            return security.ofReader(new PinnedServers(List.copyOf(certificates)));
        }
        PeerKeys keys = peers();
        if (keys == null) {
            throw new ServiceException(
                    "the server "
                            + servers.get(0).reached()
                            + " is inside a job, and takes connections of that job only; with"
                            + " security.ssl.internal.enabled also those of its cluster, and with"
                            + " the job's option server-token-file those that set"
                            + " reader-token-file");
        }
        return ClientSecurity.ofPeers(keys);
    }

    static String nearest(String address) throws ServiceException {
        if (!EmbeddedAddress.is(address)) {
            return address;
        }
        EmbeddedAddress embedded = EmbeddedAddress.of(address);
        if (LocalTransport.serves(embedded.name())) {
            return ParameterClients.LOCAL + embedded.name();
        }
        if (!embedded.machine().isEmpty() && !embedded.machine().equals(machine())) {
            throw new ServiceException(
                    "a server of the job runs in a TaskManager on "
                            + embedded.machine()
                            + ", out of reach of the one on "
                            + machine()
                            + ": its taskmanager.host is loopback; set it to an address that the"
                            + " other TaskManagers reach");
        }
        return embedded.reached();
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
