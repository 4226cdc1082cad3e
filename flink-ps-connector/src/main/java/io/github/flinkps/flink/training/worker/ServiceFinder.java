package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.service.ServiceException;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.training.TrainingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the servers of a job in its registry and registers a worker with them, on a thread of its
 * own, until it succeeds, the deadline passes or it is closed. An entry that leads nowhere (a
 * server gone, an older fence) is left behind by an earlier attempt: the search goes on. What it
 * finds belongs to the listener; after {@link #close} it closes what it has opened itself.
 */
final class ServiceFinder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceFinder.class);
    private static final long POLL_MILLIS = 20;

    /** Time between two looks whether servers that do not answer are still those of the job. */
    private static final long LOOK_MILLIS = 1_000;

    private static final long CLOSE_MILLIS = 5_000;

    /** The registry's entry leads nowhere; another may follow. */
    private static final class LeftBehindException extends Exception {
        private static final long serialVersionUID = 1L;

        LeftBehindException(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** The connection of a worker to the service. */
    record Connection(
            ParameterClient client, ModelSession session, List<TableSpec> tables, long fence)
            implements AutoCloseable {
        @Override
        public void close() {
            try {
                session.close();
            } finally {
                client.close();
            }
        }
    }

    /** Receives what the finder finds; called on the finder's thread. */
    interface Listener {
        /** Tells whether the servers' addresses are known (true), or have led nowhere (false). */
        void registering(boolean found);

        void connected(Connection connection);

        void failed(Exception failure);
    }

    private final TrainingSettings settings;
    private final ServiceBackend backend;
    private final ServiceRegistry registry;
    private final List<TableSpec> expected;
    private final int worker;
    private final int workers;
    private final CutOrigin cuts;
    private final Listener listener;
    private final Thread thread;
    private Connection unclaimed;
    private boolean closed;

    /**
     * @param cuts what the servers are to be told of cuts before the worker is handed over; null:
     *     the worker goes on from what they have
     */
    ServiceFinder(
            TrainingSettings settings,
            ServiceBackend backend,
            List<TableSpec> expected,
            int worker,
            int workers,
            CutOrigin cuts,
            Listener listener) {
        this.settings = settings;
        this.backend = backend;
        this.registry = new ServiceRegistry(settings.model().directory(), settings.model().run());
        this.expected = expected;
        this.worker = worker;
        this.workers = workers;
        this.cuts = cuts;
        this.listener = listener;
        this.thread = new Thread(this::search, "flink-ps-find-service-" + worker);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void search() {
        try {
            Connection connection = find();
            synchronized (this) {
                unclaimed = connection;
            }
            listener.connected(connection);
        } catch (InterruptedException ended) {
            LOG.debug("The search for the servers was ended");
        } catch (Exception e) {
            listener.failed(e);
        }
    }

    /**
     * Hands the connection over to the listener. Returns false if it is too late: then {@link
     * #close} has been called, which closes a connection that nobody has claimed.
     */
    synchronized boolean claim() {
        unclaimed = null;
        return !closed;
    }

    private Connection find() throws Exception {
        long deadline = System.nanoTime() + settings.waits().timeout().toNanos();
        Exception last = null;
        while (System.nanoTime() - deadline < 0) {
            try {
                // Of its own job, whatever its time: that is of another machine's clock.
                Optional<ServiceAddress> entry =
                        registry.read(0).filter(ServiceAddress::hasServers);
                if (entry.isPresent()) {
                    listener.registering(true);
                    return register(entry.get());
                }
            } catch (IOException unreadable) {
                last = unreadable;
            } catch (LeftBehindException e) {
                LOG.info("Servers of the registry cannot be used: {}", e.getMessage());
                last = e;
                listener.registering(false);
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new TrainingException(
                "worker "
                        + worker
                        + " found no parameter servers of model '"
                        + settings.model().name()
                        + "' within timeout "
                        + settings.waits().timeout().toMillis()
                        + " ms (registry "
                        + registry.location()
                        + ", under model-root, must be on storage that all processes see)"
                        + (last == null ? "" : ": " + last.getMessage()));
    }

    private Connection register(ServiceAddress address) throws Exception {
        ParameterClient client;
        try {
            client = backend.connect(address.addresses(), settings.waits().timeout());
        } catch (IOException | RuntimeException e) {
            throw new LeftBehindException(e);
        }
        ModelSession session = null;
        boolean handed = false;
        try {
            session = await(client.open(spec(address)), address);
            List<TableSpec> tables = new ArrayList<>();
            for (TableSpec table : expected) {
                tables.add(described(session, table, address));
            }
            if (cuts != null) {
                await(session.beginCuts(cuts, settings.waits().timeout()), address);
            } else {
                await(session.serve(), address);
            }
            handed = true;
            return new Connection(client, session, List.copyOf(tables), address.fence());
        } finally {
            if (!handed) {
                closeAll(session, client);
            }
        }
    }

    private static void closeAll(ModelSession session, ParameterClient client) {
        try (client) {
            if (session != null) {
                session.close();
            }
        }
    }

    private SessionSpec spec(ServiceAddress address) {
        return new SessionSpec(
                        settings.model().name(),
                        settings.model().run(),
                        address.fence(),
                        settings.train() ? worker : SessionSpec.NO_WORKER,
                        workers,
                        settings.pace().consistency(),
                        settings.waits().timeout())
                .withEncodings(settings.pace().encodings());
    }

    private TableSpec described(ModelSession session, TableSpec table, ServiceAddress address)
            throws Exception {
        TableSpec found = await(session.describe(table.name()), address);
        if (found.size() != table.size()
                || found.width() != table.width()
                || found.keyBits() != table.keyBits()) {
            throw new TrainingException(
                    "table '" + table.name() + "' has another shape on the servers: " + found);
        }
        return found;
    }

    /**
     * Waits for servers, as long as the registry names them: those of an attempt that has failed
     * may go without an answer, while the entry of the next one is on its way.
     */
    private <T> T await(CompletableFuture<T> future, ServiceAddress address) throws Exception {
        long deadline = System.nanoTime() + settings.waits().timeout().toNanos();
        while (true) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            try {
                return await(future, Math.min(left, LOOK_MILLIS));
            } catch (TimeoutException e) {
                if (!isNamed(address)) {
                    throw new LeftBehindException(
                            new IllegalStateException("they do not answer, and others come", e));
                }
                if (left <= LOOK_MILLIS) {
                    throw new TrainingException("the servers do not answer within the timeout", e);
                }
            }
        }
    }

    private boolean isNamed(ServiceAddress address) {
        try {
            return registry.read(0)
                    .filter(entry -> entry.fence() == address.fence())
                    .filter(entry -> entry.addresses().equals(address.addresses()))
                    .isPresent();
        } catch (IOException unreadable) {
            LOG.debug("{} cannot be read", registry.location(), unreadable);
            return true;
        }
    }

    private static <T> T await(CompletableFuture<T> future, long millis) throws Exception {
        try {
            return future.get(Math.max(0, millis), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = ServiceException.unwrap(e);
            switch (ServiceException.code(cause)) {
                case FENCED, DISCONNECTED, CLOSED, NOT_READY ->
                        throw new LeftBehindException(cause);
                default -> throw new TrainingException("cannot register with the servers", cause);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        synchronized (this) {
            closed = true;
        }
        thread.interrupt();
        thread.join(CLOSE_MILLIS);
        Connection left;
        synchronized (this) {
            left = unclaimed;
            unclaimed = null;
        }
        if (left != null) {
            left.close();
        }
    }
}
