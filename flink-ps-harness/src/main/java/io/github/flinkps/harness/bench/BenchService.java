package io.github.flinkps.harness.bench;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Server processes, and clients that train one model there, each a worker of its own. */
final class BenchService implements AutoCloseable {
    static final String MODEL = "bench";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int SERVER_MEMORY_PERCENT = 60;

    private final List<ChildProcess> servers = new ArrayList<>();
    private final List<ParameterClient> clients = new ArrayList<>();
    private final List<ModelSession> sessions = new ArrayList<>();

    /**
     * @param heapBytes of each server, see {@link ChildProcess#server}
     */
    BenchService(int serverCount, int clientCount, long heapBytes) {
        try {
            start(serverCount, clientCount, heapBytes);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void start(int serverCount, int clientCount, long heapBytes) {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < serverCount; i++) {
            int percent = Math.max(1, SERVER_MEMORY_PERCENT / serverCount);
            servers.add(ChildProcess.server(percent, heapBytes));
            addresses.add("127.0.0.1:" + servers.get(i).port());
        }
        for (int i = 0; i < clientCount; i++) {
            ParameterClient client = ParameterClients.create(addresses, ClientConfig.defaults());
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
        sessions.forEach(ModelSession::close);
        clients.forEach(ParameterClient::close);
        servers.forEach(ChildProcess::close);
    }
}
