package io.github.flinkps.flink.serving;

import io.github.flinkps.client.ClientSecurity;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * Says which model predicts, and how fresh it must be.
 *
 * @param name of the model, for messages
 * @param nameOnServers of the model
 * @param locator says where it is found
 * @param servers that run already, host:port, and are asked as long as they have what the newest
 *     version was saved from; none if there are no such
 * @param security how those servers are reached
 * @param peerTimeout how long a server may say nothing, though it is asked, before its connection
 *     is given up
 * @param refreshInterval between two looks for newer servers and versions, and the age up to which
 *     a row pulled of servers that train is used again
 * @param cachedRows of each table that are remembered, at most
 * @param timeout of every wait for servers
 */
public record PredictorSpec(
        String name,
        String nameOnServers,
        ModelLocator locator,
        List<String> servers,
        ClientSecurity security,
        Duration peerTimeout,
        Duration refreshInterval,
        int cachedRows,
        Duration timeout)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    public PredictorSpec {
        servers = List.copyOf(servers);
    }

    /** Returns whether there is a version, or servers that may have the model, as of now. */
    public boolean hasModel() {
        // In this order, as a job that ends publishes a version before its servers go.
        return !servers.isEmpty() || !locator.live().isEmpty() || locator.version().isPresent();
    }

    /** Returns a message that says why nothing can predict. */
    public String noModel() {
        return "model " + name + " cannot predict: it has no version yet, and no servers train it";
    }
}
