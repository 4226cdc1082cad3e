package io.github.flinkps.flink.service;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.transport.LocalTransport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Parameter servers of this process on loopback, and clients that reach those of their own process
 * without a socket. The address of an embedded server is {@code host:port#name@machine}, name being
 * that by which its own process knows it; a remote one is {@code host:port}.
 */
public class LocalServerBackend implements ServiceBackend {
    private static final long serialVersionUID = 1L;
    private static final char NAME = '#';
    private static final char MACHINE = '@';

    private final TreeMap<String, String> given;
    private final ClientSecurity security;

    /** Starts servers with the defaults of their options. */
    public LocalServerBackend() {
        this(Map.of(), ClientSecurity.NONE);
    }

    /**
     * Starts servers with options.
     *
     * @param given texts by the keys of {@link ServerConfig#OPTIONS}; what is not has its default
     * @param security how servers that run already are reached
     */
    public LocalServerBackend(Map<String, String> given, ClientSecurity security) {
        this.given = new TreeMap<>(given);
        this.security = security;
    }

    /** Where a server that is started keeps its cuts. */
    protected ModelStorage storage() {
        return new FlinkModelStorage();
    }

    @Override
    public EmbeddedServer startServer(int index, long fence, long heap) {
        ParameterServer server =
                ParameterServer.start(ServerConfig.of(given, heap).withFence(fence), storage());
        return new EmbeddedServer() {
            @Override
            public String address() {
                return server.address() + NAME + server.localName() + MACHINE + machine();
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
        boolean embedded = false;
        for (String address : addresses) {
            nearest.add(nearest(address));
            embedded |= address.indexOf(NAME) >= 0;
        }
        // Sooner than others tire of waiting for a worker that has lost its server, so that the
        // job fails with the loss.
        ClientConfig defaults = ClientConfig.defaults();
        Duration half = timeout.dividedBy(2);
        boolean shorter = half.compareTo(defaults.reconnectTimeout()) < 0;
        return ParameterClients.create(
                nearest,
                defaults.withSecurity(embedded ? ClientSecurity.NONE : security)
                        .withConnectTimeout(timeout)
                        .withReconnectTimeout(shorter ? half : defaults.reconnectTimeout()));
    }

    static String nearest(String address) throws ServiceException {
        int name = address.indexOf(NAME);
        if (name < 0) {
            return address;
        }
        int machine = address.indexOf(MACHINE, name);
        String local = address.substring(name + 1, machine);
        if (LocalTransport.serves(local)) {
            return ParameterClients.LOCAL + local;
        }
        String other = address.substring(machine + 1);
        if (!other.equals(machine())) {
            throw new ServiceException(
                    "a server of the job runs in a TaskManager on "
                            + other
                            + ", out of reach of the one on "
                            + machine()
                            + ": servers do not authenticate anybody yet, so they listen on"
                            + " loopback, and all TaskManagers of a job must be on one machine");
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
