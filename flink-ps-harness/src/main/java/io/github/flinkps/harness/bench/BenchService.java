package io.github.flinkps.harness.bench;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.harness.machines.TrialKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Server processes, and clients that train one model there, each a worker of its own. */
final class BenchService implements AutoCloseable {
    static final String MODEL = "bench";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final List<ChildProcess> servers = new ArrayList<>();
    private final List<ParameterClient> clients = new ArrayList<>();
    private final List<ModelSession> sessions = new ArrayList<>();

    /**
     * Memory of servers, see {@link ChildProcess#server}.
     *
     * @param percent of the machine, for all of them
     * @param heapBytes of each
     */
    record Memory(int percent, long heapBytes) {}

    /**
     * @param memory of each server
     * @param keys by which connections are encrypted, or null
     */
    BenchService(int serverCount, int clientCount, Memory memory, TrialKeys keys) {
        try {
            start(serverCount, memory, keys == null ? Map.of() : keys.server());
            connect(
                    clientCount,
                    keys == null
                            ? ClientSecurity.NONE
                            : new ClientSecurity(TrialKeys.files(keys.client()), null));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void start(int serverCount, Memory memory, Map<String, String> settings) {
        for (int i = 0; i < serverCount; i++) {
            int percent = Math.max(1, memory.percent() / serverCount);
            servers.add(ChildProcess.server(percent, memory.heapBytes(), settings));
        }
    }

    private void connect(int clientCount, ClientSecurity security) {
        List<String> addresses = new ArrayList<>();
        servers.forEach(server -> addresses.add(ChildProcess.HOST + ":" + server.port()));
        ClientConfig config = ClientConfig.defaults().withSecurity(security);
        for (int i = 0; i < clientCount; i++) {
            ParameterClient client = ParameterClients.create(addresses, config);
            clients.add(client);
            sessions.add(
                    LoadDriver.await(
                            client.open(
                                    new SessionSpec(
                                            MODEL,
                                            "bench",
                                            1,
                                            i,
                                            clientCount,
                                            ConsistencySpec.asp(),
                                            TIMEOUT))));
        }
    }

    List<ChildProcess> servers() {
        return servers;
    }

    List<ParameterClient> clients() {
        return clients;
    }

    /** Returns one of each client. */
    List<ModelSession> sessions() {
        return sessions;
    }

    @Override
    public void close() {
        try {
            sessions.forEach(ModelSession::close);
            clients.forEach(ParameterClient::close);
        } finally {
            servers.forEach(ChildProcess::close);
        }
    }
}
