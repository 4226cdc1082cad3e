package io.github.flinkps.simulation;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerNode;
import io.github.flinkps.transport.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Server nodes and clients on one virtual time. */
final class SimulatedCluster {
    static final long SECOND = 1_000_000_000L;

    private final Random random;
    private final VirtualTime time;
    private final SimulatedNetwork network;
    private final List<ServerNode> nodes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final List<ParameterClient> clients = new ArrayList<>();
    private boolean cutting;

    /**
     * A cluster.
     *
     * @param owners of each server
     * @param mostDelay of a frame, in nanoseconds
     */
    SimulatedCluster(long seed, int[] owners, ServerConfig config, long mostDelay) {
        this.random = new Random(seed);
        this.time = new VirtualTime(random);
        this.network = new SimulatedNetwork(time, random, mostDelay);
        for (int server = 0; server < owners.length; server++) {
            VirtualTime.SimulatedLoop control = time.loop("control " + server);
            List<Loop> loops = new ArrayList<>();
            for (int owner = 0; owner < owners[server]; owner++) {
                loops.add(time.loop("owner " + owner + " of " + server));
            }
            ServerNode node = new ServerNode(config, 1000 + server, control, loops);
            nodes.add(node);
            addresses.add("server-" + server);
            network.addServer("server-" + server, node, control);
        }
    }

    VirtualTime time() {
        return time;
    }

    SimulatedNetwork network() {
        return network;
    }

    List<String> addresses() {
        return addresses;
    }

    ParameterClient client(Duration patience) {
        ParameterClient client =
                ParameterClients.create(
                        addresses,
                        ClientConfig.defaults()
                                .withConnectTimeout(patience)
                                .withReconnectTimeout(patience)
                                .withRequestBytes(4096),
                        network.transport("client " + clients.size()));
        clients.add(client);
        return client;
    }

    /** Cuts connections from now on, one every {@code meanNanos} or so. */
    void cut(long meanNanos) {
        cutting = true;
        network.refuseSometimes();
        cutLater(meanNanos);
    }

    private void cutLater(long meanNanos) {
        long pause = (long) (-meanNanos * Math.log(1 - random.nextDouble())) + 1;
        time.at(
                time.now() + pause,
                () -> {
                    if (cutting) {
                        network.cutOne();
                        cutLater(meanNanos);
                    }
                });
    }

    /** Lets time pass until the future is done; its error comes out as it is. */
    <T> T await(CompletableFuture<T> future, Duration limit) {
        if (!time.runUntil(future::isDone, time.now() + limit.toNanos())) {
            throw new AssertionError("not done after " + limit + " of virtual time");
        }
        try {
            return future.join();
        } catch (java.util.concurrent.CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Closes everything; returns the bytes of frames that have not been released. */
    long close() {
        cutting = false;
        clients.forEach(ParameterClient::close);
        pass(5 * SECOND);
        nodes.forEach(ServerNode::close);
        pass(60 * SECOND);
        return network.bytesHeld();
    }

    private void pass(long nanos) {
        time.runUntil(() -> false, time.now() + nanos);
    }
}
