package io.github.flinkps.flink.serving;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.ServiceException;
import java.time.Duration;
import java.util.List;

/**
 * A connection to servers that have a model, from which rows are read only. The session is for one
 * thread at a time.
 */
final class ServedModel implements AutoCloseable {
    private final ParameterClient client;
    private final ModelSession session;
    private final Runnable release;

    private ServedModel(ParameterClient client, ModelSession session, Runnable release) {
        this.client = client;
        this.session = session;
        this.release = release;
    }

    /**
     * Connects to servers that have the model.
     *
     * @param security how servers of other processes are reached
     * @param peerTimeout after which a connection is given up to a server that says nothing
     * @param name of the model on the servers
     * @param attempt that must have it there, see {@link ParameterClient#hasAttempt}; empty:
     *     whichever
     * @param release run once it is closed
     */
    static ServedModel connect(
            List<String> addresses,
            ClientSecurity security,
            Duration peerTimeout,
            String name,
            String attempt,
            Duration timeout,
            Runnable release)
            throws ServingException {
        ParameterClient client = client(addresses, security, peerTimeout, timeout);
        try {
            if (!attempt.isEmpty() && !has(client, name, attempt, timeout)) {
                throw new ServingException(
                        "servers " + addresses + " no longer have the model of that version", null);
            }
            return new ServedModel(client, session(client, name, timeout), release);
        } catch (ServingException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    static ParameterClient client(
            List<String> addresses, ClientSecurity security, Duration peerTimeout, Duration timeout)
            throws ServingException {
        try {
            return LocalServerBackend.of(security, peerTimeout).connect(addresses, timeout);
        } catch (ServiceException e) {
            throw new ServingException(e.getMessage(), e);
        }
    }

    private static boolean has(
            ParameterClient client, String name, String attempt, Duration timeout)
            throws ServingException {
        return ServingException.await(
                client.hasAttempt(name, attempt, timeout),
                timeout,
                "asking the servers whose the model is");
    }

    /** Returns a session that trains nothing and belongs to no attempt. */
    static ModelSession session(ParameterClient client, String name, Duration timeout)
            throws ServingException {
        SessionSpec spec =
                new SessionSpec(
                        name, "", 0, SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), timeout);
        return ServingException.await(client.open(spec), timeout, "finding the model's servers");
    }

    ModelSession session() {
        return session;
    }

    /** Returns whether the servers answer; else they load the model or roll it back. */
    boolean isReadable(Duration timeout) throws ServingException {
        return ServingException.await(session.state(), timeout, "asking how the model stands")
                .readable();
    }

    @Override
    public void close() {
        try {
            session.close();
        } finally {
            try {
                client.close();
            } finally {
                release.run();
            }
        }
    }
}
