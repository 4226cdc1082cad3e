package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ModelState;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.ServiceSpec.Lifetime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocking half of a reader, or of a {@link TaskService}: starts a server, prepares the model,
 * waits for the workers, saves the model. Called by a thread of its own, which is interrupted at
 * the end of the task, but {@link #close}, which the task's thread calls once that thread is gone.
 */
final class ServiceHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceHost.class);

    private final ServiceSpec spec;
    private final String run;
    private final ServiceBackend backend;
    private ModelArchive archive;
    private final TaskHost host;
    private long currentFence;
    private EmbeddedServer server;
    private ParameterClient client;
    private ModelSession session;
    private PendingModel kept;

    /** The facts about the whole training; none before its end. */
    private Map<String, String> trained = Map.of();

    /**
     * @param host where an embedded server runs
     */
    ServiceHost(
            ServiceSpec spec,
            String run,
            ServiceBackend backend,
            ModelArchive archive,
            TaskHost host) {
        this.spec = spec;
        this.run = run;
        this.backend = backend;
        this.archive = archive;
        this.host = host;
    }

    /** Starts the server of this reader; remote: nothing to start. */
    String start(int index, long fence) throws Exception {
        if (!spec.embedded()) {
            return "";
        }
        server = backend.startServer(index, fence, host);
        LOG.info("Server {} of model {} at {}", index, spec.model(), server.address());
        return server.address();
    }

    /** Returns what completes with the reason if the server of this reader must end. */
    CompletableFuture<ServiceException> serverFailure() {
        return server == null
                ? new CompletableFuture<>()
                : server.heapExhausted()
                        .thenApply(
                                exhausted ->
                                        new ServiceException(
                                                "the heap of a process with a parameter server is"
                                                        + " exhausted: a request could not be"
                                                        + " answered (give TaskManagers more heap)",
                                                exhausted));
    }

    /**
     * Checks the output, takes the model over, creates the tables, and fills them from the initial
     * model if there is one.
     *
     * @param fence of embedded servers; remote ones grant another
     * @param restored whether workers bring the cut that the model is rolled back to
     * @return the fence of the attempt
     */
    long prepare(long fence, List<String> addresses, boolean restored) throws Exception {
        currentFence = fence;
        if (spec.saving().directory() != null) {
            archive.checkWritable(spec.tables(), spec.saving().directory());
        }
        client = connected(addresses);
        boolean kept = false;
        if (!spec.embedded()) {
            String attempt = UUID.randomUUID().toString();
            currentFence =
                    await(
                            client.grantFence(spec.model(), run, attempt, spec.timeout()),
                            "cannot take model '" + spec.model() + "' over");
            archive = archive.servedBy(addresses, attempt);
            kept = keepOrForget();
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
        if (!kept) { // a model that is kept has the rows it goes on with
            await(session.suspend(), "cannot suspend reads of the model");
        }
        for (TableSpec table : spec.tables()) {
            await(session.createTable(table), "cannot create table '" + table.name() + "'");
        }
        boolean hasCuts = spec.lifetime() != Lifetime.JOB; // what only scores has none
        if (!kept && !(restored && hasCuts)) {
            load();
        }
        if (kept || !restored) { // else workers say when the model is what they go on from
            await(session.serve(), "cannot let readers in");
        }
        return currentFence;
    }

    /**
     * Returns what saves models; once {@link #prepare} is over, it names the remote servers in
     * them.
     */
    ModelArchive archive() {
        return archive;
    }

    private void load() throws Exception {
        if (spec.start().model() != null) {
            archive.load(session, spec.tables(), spec.start().model());
        }
        if (spec.start().cut() != null) {
            spec.start().cut().load(session, spec.tables());
        }
    }

    /**
     * Returns whether the servers keep what earlier attempts have trained. Otherwise removes the
     * model from them: a job begins with the initial model or none, not with what an earlier one
     * has left.
     */
    private boolean keepOrForget() throws Exception {
        if (spec.lifetime() != Lifetime.SERVERS) {
            forget();
            return false;
        }
        boolean kept =
                await(
                        client.keepModel(spec.model(), run, currentFence, spec.timeout()),
                        "cannot keep model '" + spec.model() + "' on the servers");
        if (kept) {
            LOG.info("The servers keep model {} as it is", spec.model());
        }
        return kept;
    }

    private void forget() throws Exception {
        await(
                client.dropModel(spec.model(), currentFence, spec.timeout()),
                "cannot remove model '" + spec.model() + "' from the servers");
    }

    private ParameterClient connected(List<String> addresses) throws ServiceException {
        try {
            // Before workers tire of waiting, so that the job fails with what is wrong.
            Duration bound = spec.embedded() ? spec.timeout() : spec.timeout().dividedBy(2);
            return backend.connect(addresses, bound);
        } catch (Exception e) {
            throw new ServiceException("cannot reach the servers " + addresses, e);
        }
    }

    /**
     * Meets the workers after each pass until the last, and keeps the model when it is the best so
     * far. Does nothing where no rows validate.
     */
    void followPasses() throws Exception {
        if (spec.validation() == null) {
            return;
        }
        PassBarriers barriers = new PassBarriers(session, spec.workers(), run, currentFence);
        EarlyStopping stopping = new EarlyStopping(spec.validation());
        EarlyStopping.Verdict verdict;
        int epoch = 0;
        do {
            int pass = epoch++;
            verdict = stopping.add(meet(() -> barriers.validated(pass, 0, 0, 0), Duration.ZERO));
            if (verdict.best()) {
                if (spec.saving().directory() != null) {
                    keep();
                }
                meet(() -> barriers.kept(pass), Duration.ZERO);
            }
        } while (!verdict.last());
    }

    private void keep() throws Exception {
        PendingModel better =
                archive.write(
                        session, spec.tables(), spec.saving().directory(), spec.saving().slots());
        discard();
        kept = better;
    }

    private void discard() {
        if (kept != null) {
            kept.close();
            kept = null;
        }
    }

    /** Waits until every worker has reported done, and saves the model on the way if asked to. */
    void awaitWorkers() throws Exception {
        List<double[]> told =
                meet(
                        () -> DoneBarrier.enter(session, spec.workers(), run, currentFence),
                        spec.saving().interval());
        trained = new TreeMap<>(DoneBarrier.progress(told).facts());
        trained.put(ArrowModelArchive.RUN, run);
    }

    /**
     * Waits at a barrier for the workers. Training may take any time, so it is entered again
     * whenever its deadline passes; a lost server ends the wait with its error.
     *
     * @param saveInterval the model is saved as often meanwhile, unless nothing has been trained
     *     yet; zero: never
     */
    private <T> T meet(Supplier<CompletableFuture<T>> barrier, Duration saveInterval)
            throws Exception {
        long interval = saveInterval.toMillis();
        long nextSave = interval > 0 ? nowMillis() + interval : Long.MAX_VALUE;
        CompletableFuture<T> met = barrier.get();
        long deadline = nowMillis() + boundMillis();
        while (true) {
            if (nowMillis() >= nextSave) {
                if (hasTrained()) {
                    saveModel();
                }
                nextSave = nowMillis() + interval;
            }
            try {
                long until = Math.min(nextSave, deadline);
                return met.get(Math.max(0, until - nowMillis()), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (nowMillis() >= deadline) {
                    throw lostServers(e);
                }
            } catch (ExecutionException e) {
                if (!DoneBarrier.mustEnterAgain(e)) {
                    throw lostServers(e);
                }
                met = barrier.get();
                deadline = nowMillis() + boundMillis();
            }
        }
    }

    /** Returns whether the model is more than what the attempt goes on from, and all of it. */
    private boolean hasTrained() throws Exception {
        ModelState state = await(session.state(), "lost the servers while the workers train");
        return state.readable() && state.trained();
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
        archive.save(
                session, spec.tables(), spec.saving().directory(), spec.saving().slots(), trained);
    }

    /**
     * Saves the model, or the best of all passes, if asked to, tells the workers, and lets remote
     * servers forget a temporary one.
     */
    void save() throws Exception {
        if (kept == null && spec.saving().directory() != null) {
            saveModel();
        }
        publish();
        tellSaved();
        if (spec.lifetime() == Lifetime.JOB && !spec.embedded()) {
            forget();
        }
    }

    /** Writes the model beside where it is saved to, if asked to; not again if it is the best. */
    void write() throws Exception {
        if (kept == null && spec.saving().directory() != null) {
            keep();
        }
    }

    /** Puts what was written in its place, if anything was. */
    void publish() throws Exception {
        if (kept != null) {
            kept.publish(trained);
            discard();
        }
    }

    /** Meets the workers, none of which ends before. */
    void tellSaved() throws Exception {
        meet(() -> DoneBarrier.saved(session, spec.workers(), run, currentFence), Duration.ZERO);
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
        discard();
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
