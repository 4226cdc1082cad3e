package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.TableSpec;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocking half of a reader: starts a server, prepares the model, waits for the workers, saves
 * the model. Called by the reader's own thread, which is interrupted at the end of the task, but
 * {@link #close}, which the task's thread calls once that thread is gone.
 */
final class ServiceHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceHost.class);

    private final ServiceSpec spec;
    private final String run;
    private final ServiceBackend backend;
    private final ModelArchive archive;
    private long currentFence;
    private EmbeddedServer server;
    private ParameterClient client;
    private ModelSession session;

    ServiceHost(ServiceSpec spec, String run, ServiceBackend backend, ModelArchive archive) {
        this.spec = spec;
        this.run = run;
        this.backend = backend;
        this.archive = archive;
    }

    /** Starts the server of this reader; remote: nothing to start. */
    String start(int index, long fence) throws Exception {
        if (!spec.embedded()) {
            return "";
        }
        server = backend.startServer(index, fence);
        LOG.info("Server {} of model {} at {}", index, spec.model(), server.address());
        return server.address();
    }

    /**
     * Checks the output, takes the model over, creates the tables, and fills them from the initial
     * model if there is one.
     *
     * @param fence of embedded servers; remote ones grant another
     * @return the fence of the attempt
     */
    long prepare(long fence, List<String> addresses) throws Exception {
        currentFence = fence;
        if (spec.output() != null) {
            archive.checkWritable(spec.tables(), spec.output());
        }
        client = connected(addresses);
        if (!spec.embedded()) {
            currentFence =
                    await(
                            client.grantFence(
                                    spec.model(),
                                    run,
                                    UUID.randomUUID().toString(),
                                    spec.timeout()),
                            "cannot take model '" + spec.model() + "' over");
            // A job begins with the initial model or none, not with what an earlier one has left.
            forget();
        }
        SessionSpec plain =
                new SessionSpec(
                        spec.model(),
                        run,
                        currentFence,
                        SessionSpec.NO_WORKER,
                        spec.workers(),
                        spec.consistency(),
                        spec.timeout());
        session = await(client.open(plain), "cannot register with the servers " + addresses);
        for (TableSpec table : spec.tables()) {
            await(session.createTable(table), "cannot create table '" + table.name() + "'");
        }
        if (spec.initialModel() != null) {
            archive.load(session, spec.tables(), spec.initialModel());
        }
        return currentFence;
    }

    private void forget() throws Exception {
        await(
                client.dropModel(spec.model(), currentFence, spec.timeout()),
                "cannot remove model '" + spec.model() + "' from the servers");
    }

    private ParameterClient connected(List<String> addresses) throws ServiceException {
        try {
            return backend.connect(addresses, spec.timeout());
        } catch (Exception e) {
            throw new ServiceException("cannot reach the servers " + addresses, e);
        }
    }

    /**
     * Waits until every worker has reported done, and saves the model on the way if asked to.
     * Training may take any time, so the barrier is entered again whenever its deadline passes; a
     * lost server ends the wait with its error.
     */
    void awaitWorkers() throws Exception {
        boolean saves = !spec.saveInterval().isZero();
        long interval = spec.saveInterval().toMillis();
        long nextSave = saves ? nowMillis() + interval : Long.MAX_VALUE;
        CompletableFuture<Void> met = enterBarrier();
        long deadline = nowMillis() + boundMillis();
        while (true) {
            if (nowMillis() >= nextSave) {
                saveModel();
                nextSave = nowMillis() + interval;
            }
            try {
                long until = Math.min(nextSave, deadline);
                met.get(Math.max(0, until - nowMillis()), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                if (nowMillis() >= deadline) {
                    throw lostServers(e);
                }
            } catch (ExecutionException e) {
                if (!DoneBarrier.mustEnterAgain(e)) {
                    throw lostServers(e);
                }
                met = enterBarrier();
                deadline = nowMillis() + boundMillis();
            }
        }
    }

    private CompletableFuture<Void> enterBarrier() {
        return DoneBarrier.enter(session, spec.workers(), run, currentFence);
    }

    private ServiceException lostServers(Exception cause) {
        return ServiceException.code(cause) == ErrorCode.FENCED
                ? new ServiceException(
                        "model '" + spec.model() + "' was taken over while the workers train",
                        cause)
                : new ServiceException("lost the servers while the workers train", cause);
    }

    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private long boundMillis() {
        return spec.timeout().plus(DoneBarrier.SLICE).toMillis();
    }

    private void saveModel() throws Exception {
        archive.save(session, spec.tables(), spec.output(), spec.saveSlots());
    }

    /** Saves the model, if asked to, and lets remote servers forget a temporary one. */
    void save() throws Exception {
        if (spec.output() != null) {
            saveModel();
        }
        if (spec.temporary() && !spec.embedded()) {
            forget();
        }
    }

    private <T> T await(CompletableFuture<T> future, String failure)
            throws ServiceException, InterruptedException {
        try {
            return future.get(boundMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ServiceException(failure, e);
        }
    }

    @Override
    public void close() {
        if (session != null) {
            session.close();
        }
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }
}
