package io.github.flinkps.flink.service;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.flink.internal.compat.ProcessConfiguration;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.security.PeerKeys;
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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;

/**
 * Parameter servers inside TaskManagers, and clients that reach those of their own process without
 * a socket.
 *
 * <p>The address of such a server is {@code host:port#name}, name being that by which its own
 * process knows it. It is reached by TLS, with the keys of the cluster's internal connections where
 * it has some, else with keys that only the job has. One that is for its machine only, because the
 * TaskManager is, has the machine's name behind it: {@code 127.0.0.1:port#name@machine}. It neither
 * encrypts nor asks. The address of a remote server is {@code host:port}.
 */
public class LocalServerBackend implements ServiceBackend {
    private static final long serialVersionUID = 1L;
    private static final char NAME = '#';
    private static final char MACHINE = '@';

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

    /** Returns one with the defaults of all options, whose servers are reached so. */
    public static LocalServerBackend of(ClientSecurity security) {
        return new LocalServerBackend(Map.of(), security, ConnectionLimits.PEER_TIMEOUT);
    }

    /** Where a server that is started keeps its cuts. */
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
        ServerConfig config = ServerConfig.of(given, host.heap()).withFence(fence);
        if (!host.isMachines()) {
            config =
                    config.withListen(new Listen(host.bind(), 0, host.external()))
                            .withSecurity(ServerSecurity.ofPeers(peers()));
        }
        ParameterServer server = ParameterServer.start(config, storage());
        String address =
                server.address()
                        + NAME
                        + server.localName()
                        + (host.isMachines() ? MACHINE + machine() : "");
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

    @Override
    public ParameterClient connect(List<String> addresses, Duration timeout)
            throws ServiceException {
        List<String> nearest = new ArrayList<>();
        ClientSecurity by = null;
        for (String address : addresses) {
            String near = nearest(address);
            nearest.add(near);
            boolean far = address.indexOf(MACHINE) < 0 && !near.startsWith(ParameterClients.LOCAL);
            if (far && by == null) {
                by = address.indexOf(NAME) < 0 ? security : embedded(near);
            }
        }
        // Sooner than others tire of waiting for a worker that has lost its server, so that the
        // job fails with the loss.
        ClientConfig defaults = ClientConfig.defaults();
        Duration half = timeout.dividedBy(2);
        boolean shorter = half.compareTo(defaults.reconnectTimeout()) < 0;
        return ParameterClients.create(
                nearest,
                defaults.withSecurity(by == null ? ClientSecurity.NONE : by)
                        .withConnectTimeout(timeout)
                        .withPeerTimeout(peerTimeout)
                        .withReconnectTimeout(shorter ? half : defaults.reconnectTimeout()));
    }

    private ClientSecurity embedded(String address) throws ServiceException {
        PeerKeys keys = peers();
        if (keys == null) {
            throw new ServiceException(
                    "the server "
                            + address
                            + " is inside a job, and takes connections of that job only, or with"
                            + " security.ssl.internal.enabled those of its cluster");
        }
        return ClientSecurity.ofPeers(keys);
    }

    static String nearest(String address) throws ServiceException {
        int name = address.indexOf(NAME);
        if (name < 0) {
            return address;
        }
        int machine = address.indexOf(MACHINE, name);
        String local = address.substring(name + 1, machine < 0 ? address.length() : machine);
        if (LocalTransport.serves(local)) {
            return ParameterClients.LOCAL + local;
        }
        String other = machine < 0 ? machine() : address.substring(machine + 1);
        if (!other.equals(machine())) {
            throw new ServiceException(
                    "a server of the job runs in a TaskManager on "
                            + other
                            + ", out of reach of the one on "
                            + machine()
                            + ": its taskmanager.host is loopback; set it to an address that the"
                            + " other TaskManagers reach");
        }
        return address.substring(0, name);
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
