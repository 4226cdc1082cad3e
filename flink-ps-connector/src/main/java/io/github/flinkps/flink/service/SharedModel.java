package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.TableSpec;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A model that tasks of a job train without being workers, as functions do that know nothing of
 * each other. All of a process share one; who comes first readies it, who leaves last saves it.
 *
 * <p>On remote servers it is readied once for a run, whatever processes its tasks are in and
 * however often they begin anew: what the servers have of the run is gone on with. Without them it
 * is in a server of the one process that holds the model's {@link ProcessLock}. Thread-safe.
 */
public final class SharedModel {
    private static final Logger LOG = LoggerFactory.getLogger(SharedModel.class);
    private static final Map<String, SharedModel> OPEN = new HashMap<>();
    private static final long POLL_MILLIS = 20;
    private static final String LOCK = "/registry/shared.lock";

    /** Begins the names of runs, see {@link ServiceRegistry#PRIVATE_RUN}. */
    private static final String RUN = ServiceRegistry.PRIVATE_RUN + "shared-";

    private final String key;
    private final ServiceSpec spec;
    private final String run;
    private final ServiceBackend backend;
    private ModelArchive archive;
    private final AtomicBoolean trained = new AtomicBoolean();
    private int users;
    private boolean ready;
    private long fence;
    private long savedNanos;
    private List<String> addresses;
    private ProcessLock lock;
    private ServiceHost host;
    private User saver;

    private SharedModel(
            String key,
            ServiceSpec spec,
            String job,
            ServiceBackend backend,
            ModelArchive archive) {
        this.key = key;
        this.spec = spec;
        this.run = RUN + job;
        this.backend = backend;
        this.archive = archive;
    }

    /** A user that trains the model, with a session of its own. For one thread. */
    public static final class User implements AutoCloseable {
        private final SharedModel model;
        private final ParameterClient client;
        private final ModelSession session;

        private User(SharedModel model, ParameterClient client, ModelSession session) {
            this.model = model;
            this.client = client;
            this.session = session;
        }

        /** Returns a plain session; it ends with this. */
        public ModelSession session() {
            return session;
        }

        /** Says that the model is another than when it was saved last. */
        public void trained() {
            model.trained.set(true);
        }

        /** Saves the model if the save interval is over; what others train goes on meanwhile. */
        public void saveIfDue() throws Exception {
            model.saveIfDue();
        }

        /**
         * Closes the session. The last user in the process saves the model, if it was trained since
         * it was saved last.
         */
        @Override
        public void close() throws Exception {
            try {
                closeSession();
            } finally {
                model.leave();
            }
        }

        private void closeSession() {
            try (client) {
                session.close();
            }
        }
    }

    /**
     * Takes part in training a model.
     *
     * @param spec of the model; all that take part in the job have the same
     * @param job identity of the job over all its attempts
     * @return the caller's to close
     * @throws ServiceException if it cannot be had
     */
    public static User join(
            ServiceSpec spec, String job, ServiceBackend backend, ModelArchive archive)
            throws Exception {
        String key = spec.servers().directory() + " " + job;
        SharedModel model;
        synchronized (OPEN) {
            model =
                    OPEN.computeIfAbsent(
                            key, any -> new SharedModel(any, spec, job, backend, archive));
            model.users++;
        }
        boolean joined = false;
        try {
            User user = model.join();
            joined = true;
            return user;
        } finally {
            if (!joined) {
                model.leave();
            }
        }
    }

    private synchronized User join() throws Exception {
        if (!ready) {
            try {
                begin();
                ready = true;
            } finally {
                if (!ready) {
                    release();
                }
            }
        }
        return connect(addresses, fence);
    }

    private void begin() throws Exception {
        lock = awaitLock();
        if (spec.embedded()) {
            host = new ServiceHost(spec, run, backend, archive, TaskHost.ofMachine(heap()));
            long own = System.currentTimeMillis();
            addresses = List.of(host.start(0, own));
            fence = host.prepare(own, addresses, false);
        } else {
            addresses = spec.servers().remote();
            readyServers();
            unlock();
        }
        saver = connect(addresses, fence);
        savedNanos = System.nanoTime();
    }

    private ProcessLock awaitLock() throws Exception {
        String file = ArrowModelArchive.localPath(spec.servers().directory(), "PS_TRAIN") + LOCK;
        long deadline = System.nanoTime() + spec.timeout().toNanos();
        ProcessLock taken = ProcessLock.take(file);
        while (taken == null) {
            if (System.nanoTime() - deadline > 0) {
                throw new ServiceException(
                        "model '"
                                + spec.model()
                                + "' is trained elsewhere already, by another job or another"
                                + " process of this one, which holds "
                                + file
                                + ": name parameter servers (remote) that all can use, or let all"
                                + " tasks that train it run in one TaskManager");
            }
            Thread.sleep(POLL_MILLIS);
            taken = ProcessLock.take(file);
        }
        return taken;
    }

    /**
     * Returns the most heap of the model, in bytes: as much as of one that is loaded to predict.
     */
    private static long heap() {
        return Runtime.getRuntime().maxMemory() / 4;
    }

    private void readyServers() throws Exception {
        ServiceRegistry registry = new ServiceRegistry(spec.servers().directory(), run);
        Optional<ServiceAddress> entry = registry.read(System.currentTimeMillis());
        if (entry.isPresent() && entry.get().addresses().equals(addresses) && has(entry.get())) {
            fence = entry.get().fence();
            LOG.info("Servers {} have model {} of this run", addresses, spec.model());
            return;
        }
        ServiceRegistry.removeAll(spec.servers().directory(), RUN);
        host = new ServiceHost(spec, run, backend, archive, TaskHost.ofMachine(0));
        fence = host.prepare(0, addresses, false);
        archive = host.archive();
        registry.publish(new ServiceAddress(run, fence, addresses, ServiceAddress.NEVER));
    }

    /** Returns whether the servers still have the model as the run has left it. */
    private boolean has(ServiceAddress left) throws InterruptedException {
        try {
            connect(left.addresses(), left.fence()).closeSession();
            return true;
        } catch (ServiceException lost) {
            LOG.info("Model {} is readied anew: {}", spec.model(), lost.getMessage());
            return false;
        }
    }

    private User connect(List<String> servers, long ofFence)
            throws ServiceException, InterruptedException {
        ParameterClient client;
        try {
            client = backend.connect(servers, spec.timeout());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new ServiceException("cannot reach the servers " + servers, e);
        }
        SessionSpec plain =
                new SessionSpec(
                        spec.model(),
                        run,
                        ofFence,
                        SessionSpec.NO_WORKER,
                        spec.workers(),
                        spec.consistency(),
                        spec.timeout());
        User user = null;
        boolean whole = false;
        try {
            ModelSession session =
                    await(client.open(plain), "cannot register with the servers " + servers);
            user = new User(this, client, session);
            for (TableSpec table : spec.tables()) {
                await(session.describe(table.name()), "no table '" + table.name() + "'");
            }
            whole = true;
            return user;
        } finally {
            if (!whole && user != null) {
                user.closeSession();
            } else if (!whole) {
                client.close();
            }
        }
    }

    private <T> T await(CompletableFuture<T> future, String failure)
            throws ServiceException, InterruptedException {
        try {
            return future.get(2 * spec.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ServiceException(failure, e);
        }
    }

    private synchronized void saveIfDue() throws Exception {
        long interval = spec.saving().interval().toNanos();
        if (interval > 0 && System.nanoTime() - savedNanos >= interval) {
            save();
        }
    }

    private void save() throws Exception {
        if (trained.getAndSet(false)) {
            archive.save(
                    saver.session(),
                    spec.tables(),
                    spec.saving().directory(),
                    spec.saving().slots());
        }
        savedNanos = System.nanoTime();
    }

    private void leave() throws Exception {
        synchronized (OPEN) {
            if (--users > 0) {
                return;
            }
            OPEN.remove(key, this);
        }
        end();
    }

    private synchronized void end() throws Exception {
        try {
            if (saver != null) {
                save();
            }
        } finally {
            release();
        }
    }

    private void release() throws IOException {
        try {
            if (saver != null) {
                saver.closeSession();
                saver = null;
            }
        } finally {
            try {
                if (host != null) {
                    host.close();
                    host = null;
                }
            } finally {
                unlock();
            }
        }
    }

    private void unlock() throws IOException {
        if (lock != null) {
            lock.close();
            lock = null;
        }
    }
}
