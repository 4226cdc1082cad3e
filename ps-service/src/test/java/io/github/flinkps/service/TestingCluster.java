package io.github.flinkps.service;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Servers in this process, and clients of them; closes what it made. */
public final class TestingCluster implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<ParameterServer> servers = new ArrayList<>();
    private final List<ParameterClient> clients = new ArrayList<>();
    private final boolean local;

    TestingCluster(int serverCount, boolean local, ServerConfig config) {
        this.local = local;
        for (int i = 0; i < serverCount; i++) {
            servers.add(ParameterServer.start(config));
        }
    }

    /** Servers whose cuts go to a storage. */
    TestingCluster(int serverCount, ServerConfig config, ModelStorage storage) {
        this.local = false;
        for (int i = 0; i < serverCount; i++) {
            servers.add(ParameterServer.start(config, storage));
        }
    }

    static TestingCluster of(int serverCount, boolean local) {
        return new TestingCluster(serverCount, local, ServerConfig.defaults().withOwners(2));
    }

    List<String> addresses() {
        return servers.stream()
                .map(s -> local ? ParameterClients.LOCAL + s.localName() : s.address())
                .toList();
    }

    ParameterServer server(int index) {
        return servers.get(index);
    }

    ParameterClient client() {
        return client(ClientConfig.defaults());
    }

    ParameterClient client(ClientConfig config) {
        ParameterClient client = ParameterClients.create(addresses(), config);
        clients.add(client);
        return client;
    }

    ModelSession session(String model) {
        return get(
                client().open(
                                new SessionSpec(
                                        model,
                                        "run",
                                        0,
                                        SessionSpec.NO_WORKER,
                                        1,
                                        ConsistencySpec.asp(),
                                        TIMEOUT)));
    }

    ModelSession worker(String model, int worker, int workers, ConsistencySpec consistency) {
        return worker(model, 1, worker, workers, consistency);
    }

    ModelSession worker(
            String model, long fence, int worker, int workers, ConsistencySpec consistency) {
        return get(
                client().open(
                                new SessionSpec(
                                        model,
                                        "run",
                                        fence,
                                        worker,
                                        workers,
                                        consistency,
                                        TIMEOUT)));
    }

    /** Waits for a future, not for ever; its error comes out as it is. */
    static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        clients.forEach(ParameterClient::close);
        servers.forEach(ParameterServer::close);
    }
}
