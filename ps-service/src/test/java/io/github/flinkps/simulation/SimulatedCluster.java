package io.github.flinkps.simulation;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.CutWork;
import io.github.flinkps.server.OwnerClocks;
import io.github.flinkps.server.OwnerDeferrals;
import io.github.flinkps.server.OwnerProgress;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerNode;
import io.github.flinkps.transport.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Server nodes and clients on one virtual time. */
final class SimulatedCluster implements AutoCloseable {
    static final long SECOND = 1_000_000_000L;

    private final Random random;
    private final Invariants invariants;
    private final VirtualTime time;
    private final SimulatedNetwork network;
    private final List<ServerNode> nodes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final List<ParameterClient> clients = new ArrayList<>();
    private final BufferAllocator allocator = new RootAllocator();
    private boolean cutting;
    private int rehearsals;
    private boolean closing;
    private AssertionError trouble;
    private Throwable failure;

    /**
     * A cluster.
     *
     * @param owners of each server
     * @param mostDelay of a frame, in nanoseconds
     */
    SimulatedCluster(long seed, int[] owners, ServerConfig config, long mostDelay) {
        this(seed, owners, config, mostDelay, null);
    }

    /**
     * A cluster whose cuts go to a storage.
     *
     * @param storage null: there are none
     */
    SimulatedCluster(
            long seed, int[] owners, ServerConfig config, long mostDelay, ModelStorage storage) {
        this.random = new Random(seed);
        this.invariants = new Invariants(seed);
        this.time = new VirtualTime(random, invariants::check);
        this.network = new SimulatedNetwork(time, random, mostDelay);
        for (int server = 0; server < owners.length; server++) {
            VirtualTime.SimulatedLoop control = time.loop("control " + server);
            List<Loop> loops = new ArrayList<>();
            for (int owner = 0; owner < owners[server]; owner++) {
                loops.add(time.loop("owner " + owner + " of " + server));
            }
            CutWork work =
                    storage == null
                            ? null
                            : new CutWork(
                                    storage,
                                    allocator,
                                    time.loop("cuts " + server),
                                    () -> rehearsals++);
            ServerNode node = new ServerNode(config, work, 1000 + server, control, loops);
            nodes.add(node);
            invariants.add("rounds before the slowest worker are over", new OwnerClocks(node));
            invariants.add("clocks and steps never go back", new OwnerProgress(node));
            invariants.add(
                    "pulls that wait for deferred workers know it", new OwnerDeferrals(node));
            addresses.add("server-" + server);
            network.addServer("server-" + server, node, control);
        }
    }

    /** Returns how often servers have rehearsed cuts. */
    int rehearsals() {
        return rehearsals;
    }

    VirtualTime time() {
        return time;
    }

    SimulatedNetwork network() {
        return network;
    }

    /** Returns what is checked after every event; add to it what else must hold. */
    Invariants invariants() {
        return invariants;
    }

    /** Returns the servers. */
    List<ServerNode> nodes() {
        return nodes;
    }

    List<String> addresses() {
        return addresses;
    }

    ParameterClient client(Duration patience) {
        if (closing) {
            throw new Ended();
        }
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

    /** Says that something has failed, which ends {@link #runUntil}. */
    void fail(Throwable error) {
        failure = failure == null ? error : failure;
    }

    /** Lets time pass until the condition holds or something has failed. */
    void runUntil(BooleanSupplier done, long limit) {
        boolean held =
                time.runUntil(() -> failure != null || done.getAsBoolean(), time.now() + limit);
        if (failure != null) {
            throw new AssertionError("a step of the job failed", failure);
        }
        if (!held) {
            throw new AssertionError("not done in " + limit / 1e9 + " s of virtual time");
        }
    }

    /**
     * Closes everything, also what goes on because the run was broken off, and checks that all
     * frames have been released.
     */
    @Override
    public void close() {
        cutting = false;
        closing = true;
        clients.forEach(ParameterClient::close);
        pass(5 * SECOND);
        nodes.forEach(ServerNode::close);
        pass(60 * SECOND);
        allocator.close();
        if (trouble != null) {
            throw trouble;
        }
        if (network.answeredTwice() != null) {
            throw new AssertionError(network.answeredTwice() + " was answered twice");
        }
        if (network.bytesHeld() != 0) {
            throw new AssertionError(network.bytesHeld() + " bytes not released");
        }
    }

    /** Tells what would begin while the simulation is closed that there is nothing to do. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Ended() {
            super("the simulation has ended");
        }
    }

    /** Whatever happens: what is left undone holds buffers. */
    private void pass(long nanos) {
        long until = time.now() + nanos;
        boolean passed = false;
        while (!passed) {
            try {
                time.runUntil(() -> false, until);
                passed = true;
            } catch (Ended ignored) {
                // A run that failed has left things to do.
            } catch (RuntimeException | AssertionError e) {
                trouble = trouble == null ? new AssertionError("while closing", e) : trouble;
            }
        }
    }
}
