package io.github.flinkps.flink.testing;

import io.github.flinkps.client.AggregateResult;
import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.CutReport;
import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ModelState;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.server.update.UpdateFunctions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A session of a {@link TestingParameterClient}. */
final class TestingModelSession implements ModelSession {
    final TestingParameterService service;
    final TestingParameterClient client;
    final SessionSpec spec;
    private final Map<Long, CompletableFuture<?>> inFlight = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<?>> sent = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong timestamps = new AtomicLong();
    volatile long clock;
    private volatile boolean closed;
    private volatile Runnable cutPending = () -> {};

    TestingModelSession(
            TestingParameterService service, TestingParameterClient client, SessionSpec spec) {
        this.service = service;
        this.client = client;
        this.spec = spec;
        service.openSessions.incrementAndGet();
    }

    private <T> CompletableFuture<T> answer(Supplier<T> work) {
        CompletableFuture<T> future = CompletableFuture.supplyAsync(work, service.transport);
        return track(future);
    }

    <T> CompletableFuture<T> track(CompletableFuture<T> future) {
        long number = numbers.incrementAndGet();
        inFlight.put(number, future);
        future.whenComplete((result, failure) -> inFlight.remove(number));
        if (closed) {
            future.completeExceptionally(new PsException(ErrorCode.CLOSED, "closed"));
        }
        return future;
    }

    /** Tracks the answer to the operation of a timestamp. */
    <T> CompletableFuture<T> track(long timestamp, CompletableFuture<T> answer) {
        sent.put(timestamp, answer);
        return track(answer);
    }

    /** Returns when the operations of these timestamps have been answered that have been sent. */
    CompletableFuture<Void> whenAnswered(long... timestamps) {
        return CompletableFuture.allOf(
                Arrays.stream(timestamps)
                        .mapToObj(sent::get)
                        .filter(Objects::nonNull)
                        .toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> call(String name, Runnable work) {
        service.called(name + " " + spec.worker());
        return later(
                () -> {
                    service.entry(spec.worker(), work);
                    return null;
                });
    }

    /** Runs work in turn with exchanges. */
    private <T> CompletableFuture<T> later(Supplier<T> work) {
        CompletableFuture<T> answer = track(new CompletableFuture<>());
        service.transport.schedule(
                () -> {
                    try {
                        if (service.isFenced(spec.fence())) {
                            throw new PsException(ErrorCode.FENCED, "fenced");
                        }
                        answer.complete(work.get());
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                },
                service.delayMillis,
                TimeUnit.MILLISECONDS);
        return answer;
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return answer(
                () -> {
                    service.suspended = true;
                    return null;
                });
    }

    @Override
    public CompletableFuture<Void> serve() {
        return answer(
                () -> {
                    service.suspended = false;
                    return null;
                });
    }

    /** Returns the state of the model, which is trained once a worker has called. */
    @Override
    public CompletableFuture<ModelState> state() {
        service.called("state " + spec.worker());
        return answer(() -> new ModelState(!service.suspended, service.slowest() > 0));
    }

    @Override
    public CompletableFuture<Long> beginCuts(CutOrigin origin, Duration timeout) {
        String manifest = origin.manifest() == null ? "" : origin.manifest().path();
        service.called("begin " + spec.worker() + " '" + manifest + "'");
        return later(
                () -> {
                    synchronized (service) {
                        service.suspended = false;
                        service.cuts.begin(manifest);
                        clock = service.clockOf(spec.worker());
                        return clock;
                    }
                });
    }

    @Override
    public CompletableFuture<Void> marker(long cut, long completeCut) {
        service.called("marker " + cut + " of " + spec.worker());
        return later(
                () -> {
                    service.entry(
                            spec.worker(),
                            () -> service.cuts.marker(spec.worker(), cut, completeCut));
                    service.tellCutPending();
                    return null;
                });
    }

    @Override
    public CompletableFuture<CutReport> awaitCut(long cut, Duration timeout) {
        synchronized (service) {
            return track(service.cuts.written(cut).thenApply(parts -> parts));
        }
    }

    @Override
    public CompletableFuture<Void> abortCut(long cut, String reason) {
        service.called("abort " + cut + " of " + spec.worker());
        return later(
                () -> {
                    synchronized (service) {
                        service.cuts.abort(cut);
                    }
                    return null;
                });
    }

    @Override
    public void onCutPending(Runnable listener) {
        cutPending = listener;
    }

    void cutPending() {
        cutPending.run();
    }

    @Override
    public CompletableFuture<TableSpec> createTable(TableSpec table) {
        return answer(() -> service.create(table));
    }

    @Override
    public CompletableFuture<TableSpec> describe(String table) {
        return answer(() -> service.describe(table));
    }

    @Override
    public UpdateInput updateInput(String table) {
        return UpdateFunctions.factory(service.describe(table).update().name()).input();
    }

    @Override
    public CompletableFuture<Void> dropTable(String table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<String>> tables() {
        throw new UnsupportedOperationException();
    }

    @Override
    public KeyList keys(String table, long[] keys, int from, int to) {
        long[] unique = Arrays.stream(keys, from, to).sorted().distinct().toArray();
        int[] positions = new int[to - from];
        for (int i = from; i < to; i++) {
            positions[i - from] = Arrays.binarySearch(unique, keys[i]);
        }
        return new SortedKeys(table, unique, positions);
    }

    private record SortedKeys(String table, long[] unique, int[] positions) implements KeyList {
        @Override
        public int size() {
            return unique.length;
        }

        @Override
        public long key(int position) {
            return unique[position];
        }
    }

    @Override
    public Exchange exchange() {
        return new TestingExchange(this, timestamps.incrementAndGet());
    }

    @Override
    public long clock() {
        return clock;
    }

    @Override
    public long lead() {
        long slowest = service.slowest();
        return slowest == Long.MAX_VALUE ? 0 : Math.max(0, clock - slowest);
    }

    @Override
    public CompletableFuture<List<double[]>> barrier(
            String name, int parties, double[] values, Duration timeout) {
        return gather(name, parties, values, timeout);
    }

    @Override
    public CompletableFuture<List<double[]>> gather(
            String name, int parties, double[] values, Duration timeout) {
        service.called("barrier " + spec.worker());
        long millis = Math.min(timeout.toMillis(), 200);
        CompletableFuture<List<double[]>> met = new CompletableFuture<>();
        service.arrive(
                name,
                parties,
                new TestingParameterService.Arrival(this, spec.worker(), values.clone(), met),
                millis);
        return track(met);
    }

    @Override
    public CompletableFuture<AggregateResult> aggregate(
            String table, String function, List<String> arguments) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<RowChunk> scan(
            String table, int partition, long cursor, boolean withSlots) {
        return answer(
                () -> {
                    Map<Long, float[]> rows = partition == 0 ? service.rows(table) : Map.of();
                    int width = service.describe(table).width();
                    long[] keys = rows.keySet().stream().mapToLong(Long::longValue).toArray();
                    float[] values = new float[keys.length * width];
                    for (int i = 0; i < keys.length; i++) {
                        System.arraycopy(rows.get(keys[i]), 0, values, i * width, width);
                    }
                    return new RowChunk(partition, keys, values, new float[0][], 0, RowChunk.END);
                });
    }

    @Override
    public CompletableFuture<Void> load(String table, RowChunk rows) {
        return call("load", () -> service.load(table, rows));
    }

    @Override
    public CompletableFuture<Void> idle() {
        return call("idle", () -> service.clock(spec.worker(), Long.MAX_VALUE));
    }

    @Override
    public CompletableFuture<Void> rejoin() {
        return call(
                "rejoin",
                () -> {
                    long slowest = service.slowest();
                    clock = slowest == Long.MAX_VALUE ? clock : slowest;
                    service.clock(spec.worker(), clock);
                });
    }

    @Override
    public CompletableFuture<Void> rejoin(long at) {
        return call(
                "rejoin at " + at,
                () -> {
                    clock = Math.max(clock, at);
                    service.clock(spec.worker(), clock);
                });
    }

    @Override
    public CompletableFuture<Void> deregister() {
        return call("deregister", () -> service.clock(spec.worker(), Long.MAX_VALUE));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            service.openSessions.decrementAndGet();
            for (CompletableFuture<?> each : inFlight.values()) {
                each.completeExceptionally(new PsException(ErrorCode.CLOSED, "closed"));
            }
        }
    }
}
