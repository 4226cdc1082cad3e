package io.github.flinkps.flink.service;

import io.github.flinkps.client.ParameterClient;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * Starts servers and connects to them. Travels with the job; its methods may be called by several
 * threads and may block within the given time.
 */
public interface ServiceBackend extends Serializable {
    /**
     * Tells what the process is configured as. Comes before all else, unless that is not known.
     *
     * @param taskManager configuration of the TaskManager
     */
    default void open(Configuration taskManager) {}

    /**
     * Starts a server.
     *
     * @param index of the server in the job
     * @param fence the only fence it takes
     * @param host where it runs
     */
    EmbeddedServer startServer(int index, long fence, TaskHost host) throws Exception;

    /**
     * Returns a client of the servers at these addresses, in this order; those in the same process
     * are reached without a socket.
     */
    ParameterClient connect(List<String> addresses, Duration timeout) throws Exception;
}
