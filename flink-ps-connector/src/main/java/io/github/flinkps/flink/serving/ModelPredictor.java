package io.github.flinkps.flink.serving;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.EntryWatch;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.model.ModelReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Predicts with a model as it is now: of servers where a job trains it, else of those that still
 * have what the newest version was saved from, else of that version. Servers that load the model or
 * roll it back are waited for where there is no version. Looks for newer ones every refresh
 * interval, on a thread of its own once the first is there, so that predictions go on with the old
 * one while a version is loaded. When servers fail, others, or a version, are looked for at once,
 * again and again for as long as the locator asks for. One thread at a time.
 */
public final class ModelPredictor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelPredictor.class);
    private static final Duration FOREVER = Duration.ofDays(10_000);
    private static final long PAUSE_MILLIS = 20;

    private final TrainingModel model;
    private final PredictorSpec spec;
    private final LongSupplier nanoTime;
    private final EntryWatch watch;
    private Served served;
    private long lookedNanos;
    private CompletableFuture<Served> next;
    private boolean closed;

    /**
     * The reason why a job that trains the model was passed over last. Belongs to the thread that
     * looks for newer ones.
     */
    private String unreached = "";

    /**
     * A model that is connected.
     *
     * @param place what tells it from others: addresses and fence, or the version
     */
    private record Served(String place, ServedModel connection, RowScorer scorer) {}

    /** Makes a connection. */
    private interface Connector {
        ServedModel connect() throws ServingException;
    }

    /** A question to a model. */
    private interface Question {
        float[] ask(RowScorer scorer) throws ServingException;
    }

    /**
     * Connects to nothing yet.
     *
     * @param model of the algorithm that was trained
     * @param nanoTime a clock, as {@link System#nanoTime}
     */
    public ModelPredictor(TrainingModel model, PredictorSpec spec, LongSupplier nanoTime) {
        this.model = model;
        this.spec = spec;
        this.nanoTime = nanoTime;
        this.watch = new EntryWatch(nanoTime, System::currentTimeMillis);
    }

    /**
     * Returns the scores of the rows, {@link TrainingModel#scoresPerRow} each, row by row.
     *
     * @throws ServingException if there is no such model, or it cannot be reached
     * @throws IllegalArgumentException naming a key that lies outside its table
     */
    public float[] score(RowBatch rows) throws ServingException {
        return ask(scorer -> scorer.score(rows));
    }

    /** Returns the values of rows; see {@link RowScorer#values}. */
    public float[] values(int table, long[] keys) throws ServingException {
        return ask(scorer -> scorer.values(table, keys));
    }

    private float[] ask(Question question) throws ServingException {
        long begun = nanoTime.getAsLong();
        while (true) {
            try {
                return answer(question);
            } catch (ServingException e) {
                if (nanoTime.getAsLong() - begun >= spec.locator().patience().toNanos()) {
                    throw e;
                }
                pause(e);
            }
        }
    }

    private static void pause(ServingException cause) throws ServingException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cause;
        }
    }

    private float[] answer(Question question) throws ServingException {
        refresh();
        try {
            return question.ask(served.scorer());
        } catch (ServingException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            LOG.info("{} is looked for anew, as {}: {}", spec.name(), served.place(), e.toString());
            Served failed = served;
            served = null;
            failed.connection().close();
            refresh();
            return question.ask(served.scorer());
        }
    }

    private void refresh() throws ServingException {
        if (next != null && (served == null || next.isDone())) {
            take(next);
            next = null;
        }
        if (served == null) {
            lookedNanos = nanoTime.getAsLong();
            served = find(null);
        } else if (next == null
                && nanoTime.getAsLong() - lookedNanos >= spec.refreshInterval().toNanos()) {
            lookedNanos = nanoTime.getAsLong();
            String current = served.place();
            CompletableFuture<Served> found = new CompletableFuture<>();
            Thread thread = new Thread(() -> find(current, found), "flink-ps-refresh");
            thread.setDaemon(true);
            thread.start();
            next = found;
        }
    }

    private void take(CompletableFuture<Served> found) {
        Served newer = found.exceptionally(e -> null).join();
        if (newer != null) {
            if (served != null) {
                served.connection().close();
            }
            served = newer;
        }
    }

    private void find(String current, CompletableFuture<Served> found) {
        try {
            found.complete(find(current));
        } catch (ServingException | RuntimeException e) {
            LOG.warn("Looking for a newer {} failed; the one before predicts", spec.name(), e);
            found.complete(null);
        }
    }

    /** Returns what predicts now; null if that is the current one. */
    private Served find(String current) throws ServingException {
        ServiceAddress suspended = null;
        boolean absent = false;
        for (ServiceAddress address : likely()) {
            if (place(address).equals(current)) {
                return null;
            }
            Served training = training(address);
            absent |= training == null;
            if (training != null && isReadable(training)) {
                return training;
            }
            if (training != null) {
                training.connection().close();
                suspended = address;
            }
        }
        Optional<ModelLocator.Version> version = spec.locator().version();
        if (version.isEmpty() && suspended != null) { // questions wait until it is rolled back
            Served waiting = training(suspended);
            if (waiting != null) {
                return waiting;
            }
        }
        String attempt = version.map(this::attempt).orElse("");
        if (!attempt.isEmpty()) {
            String place = "servers " + spec.servers() + ", as " + attempt + " has left them";
            if (place.equals(current)) {
                return null;
            }
            try {
                return live(place, spec.servers(), attempt);
            } catch (ServingException gone) {
                LOG.debug("{} has no {}", place, spec.name(), gone);
            }
        }
        if (version.isEmpty() && absent) {
            throw new ServingException(spec.noModel() + " that answer: " + unreached, null);
        }
        return version(version, current);
    }

    /**
     * Returns the entries of jobs that are likely to run. Where there is nothing else, those are
     * tried as well that seem to be over: by the clock of another machine, which may be wrong. So
     * nobody may have renewed them for a minute either.
     */
    private List<ServiceAddress> likely() {
        List<ServiceAddress> live = spec.locator().live();
        List<ServiceAddress> alive = watch.alive(live);
        return alive.isEmpty() && spec.locator().version().isEmpty()
                ? live.stream().filter(watch::isDoubtful).toList()
                : alive;
    }

    private static String place(ServiceAddress address) {
        return "servers " + address.addresses() + ", attempt " + address.fence();
    }

    /** Returns whether the rows are those that the attempt goes on from, or more. */
    private boolean isReadable(Served training) {
        try {
            return training.connection().isReadable(spec.timeout());
        } catch (ServingException unknown) {
            LOG.debug("{} does not say whether it may be read", training.place(), unknown);
            return false;
        }
    }

    /**
     * Returns the attempt by which the servers know what the version was saved from; empty if they
     * do not have it.
     */
    private String attempt(ModelLocator.Version version) {
        if (spec.servers().isEmpty()) {
            return "";
        }
        try {
            Map<String, String> facts =
                    ModelReader.readManifest(new FlinkModelStorage(), version.directory()).facts();
            String servers = String.join(",", spec.servers());
            return servers.equals(facts.get(ArrowModelArchive.SERVERS))
                    ? facts.getOrDefault(ArrowModelArchive.ATTEMPT, "")
                    : "";
        } catch (PsException e) {
            LOG.debug("Version {} of {} cannot be read", version.id(), spec.name(), e);
            return "";
        }
    }

    /** Returns the model on servers of a job that trains it; null if they do not let it be read. */
    private Served training(ServiceAddress job) {
        try {
            return live(place(job), job.addresses(), "");
        } catch (ServingException absent) {
            String why = place(job) + ": " + absent.getMessage();
            if (!why.equals(unreached)) {
                LOG.warn("{} is not read from {}", spec.name(), why);
                unreached = why;
            }
            return null;
        }
    }

    /**
     * @param attempt that must have the model on these servers; empty: whichever
     * @throws ServingException if they do not have it
     */
    private Served live(String place, List<String> addresses, String attempt)
            throws ServingException {
        return serve(
                place,
                spec.refreshInterval(),
                () ->
                        ServedModel.connect(
                                addresses,
                                spec.security(),
                                spec.peerTimeout(),
                                spec.nameOnServers(),
                                attempt,
                                spec.timeout(),
                                () -> {}));
    }

    private Served version(Optional<ModelLocator.Version> version, String current)
            throws ServingException {
        if (version.isEmpty()) {
            throw new ServingException(spec.noModel(), null);
        }
        String place = "version " + version.get().id();
        if (place.equals(current)) {
            return null;
        }
        return serve(place, FOREVER, () -> LoadedModels.open(model, version.get(), spec.timeout()));
    }

    private Served serve(String place, Duration fresh, Connector connector)
            throws ServingException {
        ServedModel connection = connector.connect();
        try {
            RowScorer scorer =
                    new RowScorer(
                            connection.session(),
                            model,
                            spec.cachedRows(),
                            fresh,
                            spec.timeout(),
                            nanoTime);
            LOG.info("{} predicts as {}", spec.name(), place);
            return new Served(place, connection, scorer);
        } catch (ServingException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Returns where the parameters come from, for people and tests; null before the first
     * prediction.
     */
    public String place() {
        return served == null ? null : served.place();
    }

    /** Waits for a look that is under way. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (next != null) {
            take(next);
        }
        if (served != null) {
            served.connection().close();
        }
    }
}
