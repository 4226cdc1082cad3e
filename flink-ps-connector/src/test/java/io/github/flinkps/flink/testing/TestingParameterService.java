package io.github.flinkps.flink.testing;

import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The state behind all testing clients of one name. Rows step by plain gradient descent with the
 * table's {@code learning-rate}, as soon as they are pushed; pulls wait for the slowest worker as
 * the staleness says. Thread-safe.
 */
public final class TestingParameterService implements AutoCloseable {
    private static final Map<String, TestingParameterService> ALL = new ConcurrentHashMap<>();

    private final String name;
    final ScheduledExecutorService transport;
    private final Map<String, Map<Long, float[]>> rows = new HashMap<>();
    private final Map<String, TableSpec> tables = new TreeMap<>();
    private final Map<Integer, Long> clocks = new HashMap<>();
    private final List<Parked> parked = new ArrayList<>();
    private final Map<String, List<Arrival>> barriers = new HashMap<>();
    final List<String> calls = new ArrayList<>();
    private final List<SentExchange> sent = new ArrayList<>();
    public final AtomicInteger openClients = new AtomicInteger();
    public final AtomicInteger openSessions = new AtomicInteger();
    public final AtomicInteger openServers = new AtomicInteger();
    public final AtomicInteger exchanges = new AtomicInteger();
    public final AtomicInteger pushes = new AtomicInteger();
    public final AtomicInteger largestAhead = new AtomicInteger();
    public final AtomicLong fences = new AtomicLong();

    /** Completed by a test, whose servers then have no heap left. */
    public final CompletableFuture<OutOfMemoryError> heapExhausted = new CompletableFuture<>();

    /** True if reads of the model are suspended. */
    volatile boolean suspended;

    /** Milliseconds before an operation is answered. */
    public volatile long delayMillis;

    /** Operations of which this is true are never answered. */
    public volatile Predicate<Integer> silent = exchange -> false;

    /** Operations of which this is true fail with DISCONNECTED. */
    public volatile Predicate<Integer> broken = exchange -> false;

    /** True if whoever waits at a barrier learns that the servers have gone. */
    public volatile boolean gone;

    /** True if servers can be started. */
    public volatile boolean startable = true;

    public final TestingCuts cuts = new TestingCuts(this);
    private long fence;

    private record Parked(
            long needed, TestingModelSession session, boolean worker, Runnable answer) {}

    private TestingParameterService(String name) {
        this.name = name;
        this.transport =
                Executors.newSingleThreadScheduledExecutor(
                        work -> new Thread(work, "testing-transport-" + name));
    }

    /** A new service; close it. */
    public static TestingParameterService create(String name) {
        TestingParameterService made = new TestingParameterService(name);
        if (ALL.putIfAbsent(name, made) != null) {
            throw new IllegalStateException("a testing service '" + name + "' is there already");
        }
        return made;
    }

    static TestingParameterService of(String name) {
        TestingParameterService found = ALL.get(name);
        if (found == null) {
            throw new PsException(ErrorCode.DISCONNECTED, "no testing service '" + name + "'");
        }
        return found;
    }

    public TestingServiceBackend backend() {
        return new TestingServiceBackend(name);
    }

    public TestingModelArchive archive() {
        return new TestingModelArchive(name);
    }

    synchronized void called(String call) {
        calls.add(call);
    }

    /** Calls so far of session's other operations, such as {@code deregister 0}. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    synchronized void sent(SentExchange exchange) {
        sent.add(exchange);
    }

    /** Returns the exchanges of all sessions, in the order they were sent. */
    public synchronized List<SentExchange> sent() {
        return List.copyOf(sent);
    }

    synchronized void register(int worker, int workers) {
        for (int i = 0; i < workers; i++) {
            clocks.putIfAbsent(i, 0L);
        }
        called("open " + worker);
    }

    synchronized TableSpec create(TableSpec spec) {
        TableSpec before = tables.putIfAbsent(spec.name(), spec);
        if (before != null && !before.equals(spec)) {
            throw new PsException(ErrorCode.CONFLICTING_DEFINITION, spec.name());
        }
        rows.putIfAbsent(spec.name(), new TreeMap<>());
        return spec;
    }

    synchronized TableSpec describe(String table) {
        TableSpec found = tables.get(table);
        if (found == null) {
            throw new PsException(ErrorCode.UNKNOWN_TABLE, table);
        }
        return found;
    }

    /** A server of an attempt starts: the first of a new one begins it, empty. */
    public synchronized void beginAttempt(long newFence) {
        if (newFence > fence) {
            fence = newFence;
            rows.values().forEach(Map::clear);
            clocks.clear();
            parked.clear();
            barriers.clear();
            cuts.reset(newFence);
        }
    }

    synchronized boolean isFenced(long attempt) {
        return attempt < fence;
    }

    synchronized void restore(Map<String, Map<Long, float[]>> to, Map<Integer, Long> clocksThen) {
        rows.putAll(to);
        boolean finished = clocksThen.containsValue(Long.MAX_VALUE);
        long highest =
                clocksThen.values().stream()
                        .mapToLong(Long::longValue)
                        .filter(clock -> clock != Long.MAX_VALUE)
                        .max()
                        .orElse(0);
        clocksThen.forEach((worker, clock) -> clocks.put(worker, finished ? highest : clock));
    }

    Map<String, Map<Long, float[]>> allRows() {
        return rows;
    }

    Map<Integer, Long> clocksNow() {
        return new HashMap<>(clocks);
    }

    List<Integer> active() {
        return clocks.entrySet().stream()
                .filter(each -> each.getValue() != Long.MAX_VALUE)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** An entry of a worker's log: its effect now, or once a cut is frozen. */
    synchronized void entry(int worker, Runnable effect) {
        if (worker < 0) {
            effect.run();
        } else {
            cuts.entry(worker, effect);
            cuts.settle();
        }
    }

    synchronized void push(String table, long key, float[] gradients, int at, double weight) {
        TableSpec spec = describe(table);
        float[] row = rows.get(table).computeIfAbsent(key, k -> new float[spec.width()]);
        if (spec.update().name().equals("add")) {
            for (int i = 0; i < row.length; i++) {
                row[i] += gradients[at + i];
            }
            return;
        }
        double rate = spec.update().options().getOrDefault("learning-rate", 0.1);
        for (int i = 0; i < row.length; i++) {
            row[i] -= (float) (rate * gradients[at + i] / weight);
        }
    }

    synchronized void pull(String table, long key, float[] into, int at) {
        int width = describe(table).width();
        float[] row = rows.get(table).get(key);
        if (row == null) {
            Arrays.fill(into, at, at + width, 0f);
        } else {
            System.arraycopy(row, 0, into, at, width);
        }
    }

    synchronized void clock(int worker, long value) {
        clocks.put(worker, value);
        answerParked();
    }

    private void answerParked() {
        long slowest = slowest();
        parked.removeIf(
                each -> {
                    boolean due = slowest >= each.needed;
                    if (due) {
                        each.answer.run();
                    }
                    return due;
                });
    }

    synchronized long slowest() {
        return clocks.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    synchronized long clockOf(int worker) {
        return clocks.get(worker);
    }

    /** Runs {@code answer} once every worker's clock is {@code needed}. */
    synchronized void whenSlowest(long needed, TestingModelSession session, Runnable answer) {
        if (slowest() >= needed) {
            answer.run();
        } else {
            parked.add(new Parked(needed, session, session.spec.worker() >= 0, answer));
            tellCutPending();
        }
    }

    synchronized void tellCutPending() {
        for (Parked each : parked) {
            if (each.worker && cuts.blocks(each.session.spec.worker(), each.needed)) {
                each.session.cutPending();
            }
        }
    }

    /**
     * A session at a barrier.
     *
     * @param worker whose it is, -1 for no worker's
     * @param met what all who meet there are told
     */
    record Arrival(
            Object session, int worker, double[] values, CompletableFuture<List<double[]>> met) {}

    synchronized void arrive(String barrier, int parties, Arrival arrival, long millis) {
        List<Arrival> there = barriers.computeIfAbsent(barrier, b -> new ArrayList<>());
        there.removeIf(other -> other.session() == arrival.session());
        there.add(arrival);
        if (there.size() == parties) {
            barriers.remove(barrier);
            there.sort(Comparator.comparingInt(Arrival::worker));
            List<double[]> all = there.stream().map(Arrival::values).toList();
            there.forEach(each -> transport.execute(() -> each.met().complete(all)));
            there.clear(); // whose time is up before the answer is sent has met the others
        } else {
            transport.schedule(() -> leave(there, arrival), millis, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void leave(List<Arrival> there, Arrival arrival) {
        if (there.remove(arrival)) {
            ErrorCode code = gone ? ErrorCode.DISCONNECTED : ErrorCode.TIMEOUT;
            arrival.met().completeExceptionally(new PsException(code, "barrier"));
        }
    }

    /** The rows of a table, a copy. */
    public synchronized Map<Long, float[]> rows(String table) {
        Map<Long, float[]> copy = new TreeMap<>();
        rows.getOrDefault(table, Map.of()).forEach((key, row) -> copy.put(key, row.clone()));
        return copy;
    }

    synchronized void load(String table, RowChunk chunk) {
        int width = describe(table).width();
        for (int i = 0; i < chunk.keys().length; i++) {
            rows.get(table)
                    .put(
                            chunk.keys()[i],
                            Arrays.copyOfRange(chunk.values(), i * width, (i + 1) * width));
        }
    }

    @Override
    public void close() {
        ALL.remove(name);
        transport.shutdownNow();
    }
}
