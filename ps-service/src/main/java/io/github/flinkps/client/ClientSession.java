package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.CutMessages;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.ModelStateMessage;
import io.github.flinkps.transport.Loop;
import io.netty.util.collection.LongObjectHashMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A session: numbers the entries of its log, and keeps count of what is under way. Its state is
 * guarded by its monitor; requests are sent under it, so that they leave in the order of their
 * numbers.
 */
final class ClientSession implements ModelSession {
    private static final int REMEMBERED_FAILURES = 1024;

    private final SessionSpec spec;
    private final ClientConfig config;
    private final Topology topology;
    private final ServerLink[] links;
    private final int[] sessionIds;
    private final TableRequests tableRequests;
    private final Loop loop;
    private final Map<String, TableRoute> routes = new ConcurrentHashMap<>();
    private final Map<TableRoute.Id, long[]> explicitSequences = new HashMap<>();
    private final LongObjectHashMap<ExchangeOperation> underWay = new LongObjectHashMap<>();
    private final Map<Long, PsException> failures =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, PsException> eldest) {
                    return size() > REMEMBERED_FAILURES;
                }
            };
    private final long[] sequences;
    private final SendWindow[] windows;
    private final EndedOperations ended = new EndedOperations(this);
    private final LogGap gap = new LogGap();
    private long clock;
    private long lead;
    private long nextTimestamp = 1;
    private boolean closed;
    private volatile Runnable cutPending;

    /** A registered session; {@code sessionIds} are its numbers at each server. */
    ClientSession(
            SessionSpec spec,
            ClientConfig config,
            Topology topology,
            ServerLink[] links,
            int[] sessionIds,
            TableRequests tableRequests,
            Loop loop) {
        this.spec = spec;
        this.config = config;
        this.topology = topology;
        this.links = links;
        this.sessionIds = sessionIds;
        this.tableRequests = tableRequests;
        this.loop = loop;
        this.sequences = new long[links.length];
        this.windows = new SendWindow[links.length];
        Arrays.setAll(windows, link -> new SendWindow());
    }

    SessionSpec spec() {
        return spec;
    }

    SendWindow window(int link) {
        return windows[link];
    }

    @Override
    public CompletableFuture<TableSpec> createTable(TableSpec table) {
        return tableRequests.create(spec, table).thenApply(this::learn);
    }

    @Override
    public CompletableFuture<TableSpec> describe(String table) {
        return tableRequests.describe(spec, table).thenApply(this::learn);
    }

    TableSpec learn(TableRequests.Found found) {
        routes.put(
                found.spec().name(),
                new TableRoute(
                        found.spec(), found.input(), found.ids(), topology, spec.encodings()));
        return found.spec();
    }

    @Override
    public UpdateInput updateInput(String table) {
        return route(table).input();
    }

    @Override
    public CompletableFuture<Void> dropTable(String table) {
        return tableRequests.drop(spec, table).thenRun(() -> routes.remove(table));
    }

    @Override
    public CompletableFuture<List<String>> tables() {
        return tableRequests.list(spec);
    }

    TableRoute route(String table) {
        TableRoute route = routes.get(table);
        if (route == null) {
            throw new PsException(
                    ErrorCode.UNKNOWN_TABLE,
                    "table '"
                            + table
                            + "' has been neither created nor described through this session");
        }
        return route;
    }

    /**
     * Returns the bytes of values a request may hold; with their keys they must fit the frames a
     * server takes.
     */
    private int requestBytes() {
        int least = config.requestBytes();
        for (ServerLink link : links) {
            least = Math.min(least, link.serverFrameBytes() / 4);
        }
        return least;
    }

    @Override
    public KeyList keys(String table, long[] keys, int from, int to) {
        return HashedKeyList.of(route(table), requestBytes(), keys, from, to);
    }

    @Override
    public synchronized Exchange exchange() {
        return new ExchangeOperation(this, requestBytes(), nextTimestamp++, spec.timeout());
    }

    @Override
    public synchronized long clock() {
        return clock;
    }

    @Override
    public synchronized long lead() {
        return lead;
    }

    void checkWorker() {
        if (spec.worker() < 0) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "only a worker's session has a clock; give worker and fence");
        }
    }

    /**
     * Returns the next sequences of the partitions a plain client pushes to; none for workers.
     * Under the monitor.
     */
    long[] sequences(RowPart part) {
        if (spec.worker() >= 0) {
            return new long[0];
        }
        TableSpec table = part.route().spec();
        long[] next =
                explicitSequences.computeIfAbsent(
                        part.route().identity(), id -> new long[table.partitions()]);
        long[] taken = new long[part.partitions().length];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = next[part.partitions()[i]]++;
        }
        return taken;
    }

    /** Sends an operation, now or when what it depends on has completed. */
    CompletableFuture<Void> submit(ExchangeOperation operation) {
        List<CompletableFuture<Void>> dependencies = new ArrayList<>();
        long deadline;
        synchronized (this) {
            PsException refusal = refusal(operation);
            if (refusal != null) {
                return CompletableFuture.failedFuture(refusal);
            }
            for (long timestamp : operation.dependencies()) {
                ExchangeOperation before = underWay.get(timestamp);
                if (before != null) {
                    dependencies.add(before.result());
                } else if (failures.containsKey(timestamp)) {
                    return CompletableFuture.failedFuture(failures.get(timestamp));
                }
            }
            underWay.put(operation.timestamp(), operation);
            deadline = loop.nanoTime() + operation.timeout().toNanos();
            if (dependencies.isEmpty()) {
                dispatch(operation, deadline);
            }
        }
        ended.tell();
        if (!dependencies.isEmpty()) {
            dispatchBehind(dependencies, operation, deadline);
        }
        return operation.result();
    }

    private void dispatchBehind(
            List<CompletableFuture<Void>> dependencies,
            ExchangeOperation operation,
            long deadline) {
        Runnable timer =
                loop.schedule(
                        () -> finished(operation, operation.stillWaiting()),
                        operation.timeout().toNanos());
        CompletableFuture.allOf(dependencies.toArray(new CompletableFuture<?>[0]))
                .whenComplete(
                        (done, error) -> {
                            timer.run();
                            dispatchLater(operation, deadline, error);
                        });
    }

    private PsException refusal(ExchangeOperation operation) {
        if (closed) {
            return new PsException(ErrorCode.CLOSED, "the session is closed");
        }
        if (underWay.size() >= config.maxInFlight()) {
            return new PsException(
                    ErrorCode.THROTTLED,
                    underWay.size() + " operations are under way, as many as max-in-flight allows");
        }
        if (operation.hasEntry() && gap.refusal() != null) {
            return gap.refusal();
        }
        if (!operation.begin()) {
            return new PsException(ErrorCode.INVALID_ARGUMENT, "an exchange can be sent only once");
        }
        if (operation.aheadBy() > spec.consistency().prefetchLimit()) {
            return new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a pull "
                            + operation.aheadBy()
                            + " mini-batches ahead needs a staleness of as many; it is "
                            + spec.consistency().prefetchLimit());
        }
        return null;
    }

    private void dispatchLater(ExchangeOperation operation, long deadline, Throwable error) {
        if (error != null) {
            finished(
                    operation, PsException.of(error.getCause() == null ? error : error.getCause()));
            return;
        }
        try {
            synchronized (this) {
                if (closed || !underWay.containsKey(operation.timestamp())) {
                    return;
                }
                PsException refusal = operation.hasEntry() ? gap.refusal() : null;
                if (refusal == null) {
                    dispatch(operation, deadline);
                } else {
                    finished(operation, refusal);
                }
            }
        } catch (AssertionError bug) {
            loop.execute(
                    () -> {
                        throw bug; // what a callback throws is seen by nobody
                    });
        }
        ended.tell();
    }

    /**
     * Sends an operation; what fails here ends it. An entry may then be missing at some servers.
     * Call it under the monitor, and tell who has ended behind it.
     *
     * @throws AssertionError if that is what fails: a bug is to be found where it is
     */
    private void dispatch(ExchangeOperation operation, long deadline) {
        try {
            sendRequests(operation, deadline);
        } catch (RuntimeException | Error e) {
            PsException error = PsException.of(e);
            if (operation.hasEntry()) {
                gap.open(operation, error);
            }
            finished(operation, error);
            if (e instanceof AssertionError bug) {
                throw bug;
            }
        }
    }

    private void sendRequests(ExchangeOperation operation, long deadline) {
        if ((operation.flags() & ExchangeHeader.CLOCK) != 0) {
            clock = operation.clockAt() < 0 ? clock + 1 : Math.max(clock, operation.clockAt());
        }
        operation.sentAt(clock);
        List<ExchangeMessage> messages = operation.messages(links.length);
        if (messages.isEmpty()) {
            underWay.remove(operation.timestamp());
            ended.add(operation, null);
            return;
        }
        for (ExchangeMessage message : messages) {
            int link = message.link();
            boolean numbered = message.hasEntry() && !message.isExplicit();
            message.number(
                    sessionIds[topology.server(link)],
                    numbered ? sequences[link]++ : 0,
                    clock,
                    clock + operation.aheadBy());
            links[link].send(operation.request(message, deadline));
        }
    }

    /**
     * Ends the operation of a request that has failed; opens a gap if its log entry may be missing.
     */
    void failed(ExchangeOperation operation, ExchangeMessage message, PsException error) {
        synchronized (this) {
            if (message.hasEntry() && LogGap.mayBeMissing(message, error.code())) {
                gap.open(operation, error);
            }
        }
        finished(operation, error);
    }

    /**
     * Ends an operation; only the first call counts. Its caller is told at once, or, if this thread
     * holds the monitor, after it has left it.
     */
    void finished(ExchangeOperation operation, PsException error) {
        synchronized (this) {
            if (underWay.remove(operation.timestamp()) == null) {
                return;
            }
            if (error == null) {
                lead = operation.lead();
            } else {
                failures.put(operation.timestamp(), error);
            }
            ended.add(operation, error);
        }
        ended.tell();
    }

    @Override
    public CompletableFuture<Void> idle() {
        return entry(ExchangeHeader.IDLE).send();
    }

    @Override
    public CompletableFuture<Void> rejoin() {
        ExchangeOperation operation = entry(ExchangeHeader.REJOIN);
        return operation
                .send()
                .thenRun(
                        () -> {
                            synchronized (this) {
                                clock = Math.max(clock, operation.lowestClock());
                            }
                        });
    }

    @Override
    public CompletableFuture<Void> rejoin(long at) {
        ExchangeOperation operation = entry(ExchangeHeader.REJOIN | ExchangeHeader.CLOCK);
        operation.clockAt(at);
        return operation.send();
    }

    @Override
    public CompletableFuture<Void> marker(long cut, long completeCut) {
        if (cut < 1 || completeCut < 0 || completeCut >= cut) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a marker of cut " + cut + " when " + completeCut + " is complete");
        }
        ExchangeOperation operation = (ExchangeOperation) exchange();
        operation.mark(cut, completeCut);
        return operation.send();
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return state(ModelStateMessage.Order.SUSPEND).thenApply(state -> null);
    }

    @Override
    public CompletableFuture<Void> serve() {
        return state(ModelStateMessage.Order.SERVE).thenApply(state -> null);
    }

    @Override
    public CompletableFuture<ModelState> state() {
        return state(ModelStateMessage.Order.ASK);
    }

    private CompletableFuture<ModelState> state(ModelStateMessage.Order order) {
        return tableRequests
                .askAll(
                        server ->
                                new ModelStateMessage.Request(sessionIds[server], order)
                                        .encode(ServerLink.allocator()),
                        spec.timeout(),
                        ModelStateMessage.Response::decode)
                .thenApply(ModelState::of);
    }

    @Override
    public CompletableFuture<Long> beginCuts(CutOrigin origin, Duration timeout) {
        checkWorker();
        return tableRequests
                .askAll(
                        server ->
                                TableRequests.admin(
                                        ApiKey.BEGIN_CUTS,
                                        origin.message(sessionIds[server], spec.run())),
                        timeout,
                        response -> CutMessages.Begun.decode(response).clock())
                .thenApply(clocks -> begunAt(clocks));
    }

    private synchronized long begunAt(List<Long> clocks) {
        long at = clocks.get(0);
        for (long other : clocks) {
            if (other != at) {
                throw new PsException(
                        ErrorCode.INTERNAL, "servers begin at clocks " + clocks + " after a cut");
            }
        }
        clock = at;
        return at;
    }

    @Override
    public CompletableFuture<CutReport> awaitCut(long cut, Duration timeout) {
        return tableRequests
                .askAll(
                        server ->
                                TableRequests.admin(
                                        ApiKey.AWAIT_CUT,
                                        new AdminMessages.AwaitCut(sessionIds[server], cut)),
                        timeout,
                        CutMessages.Written::decode)
                .thenApply(this::report);
    }

    private CutReport report(List<List<AdminMessages.CutReport>> all) {
        Map<String, TableSpec> definitions = new HashMap<>();
        routes.forEach((name, route) -> definitions.put(name, route.spec()));
        return CutReport.of(all.stream().flatMap(List::stream).toList(), definitions);
    }

    @Override
    public CompletableFuture<Void> abortCut(long cut, String reason) {
        return tableRequests
                .askAll(
                        server ->
                                TableRequests.admin(
                                        ApiKey.ABORT_CUT,
                                        new AdminMessages.AbortCut(
                                                sessionIds[server], cut, reason)),
                        spec.timeout(),
                        response -> true)
                .thenApply(done -> null);
    }

    @Override
    public void onCutPending(Runnable listener) {
        cutPending = listener;
    }

    void cutPending() {
        Runnable listener = cutPending;
        if (listener != null) {
            listener.run();
        }
    }

    @Override
    public CompletableFuture<Void> deregister() {
        return entry(ExchangeHeader.DEREGISTER).send();
    }

    private ExchangeOperation entry(int flag) {
        ExchangeOperation operation = (ExchangeOperation) exchange();
        operation.flag(flag);
        return operation;
    }

    @Override
    public CompletableFuture<List<double[]>> barrier(
            String name, int parties, double[] values, Duration timeout) {
        return arrive(name, parties, false, values, timeout);
    }

    @Override
    public CompletableFuture<List<double[]>> gather(
            String name, int parties, double[] values, Duration timeout) {
        return arrive(name, parties, true, values, timeout);
    }

    private CompletableFuture<List<double[]>> arrive(
            String name, int parties, boolean once, double[] values, Duration timeout) {
        return tableRequests.barrier(
                new AdminMessages.Barrier(sessionIds[0], name, parties, once, values.clone()),
                timeout);
    }

    @Override
    public CompletableFuture<AggregateResult> aggregate(
            String table, String function, List<String> arguments) {
        TableRoute route = route(table);
        List<TableRequests.Target> targets = new ArrayList<>();
        for (int link = 0; link < links.length; link++) {
            targets.add(target(route, link));
        }
        return tableRequests.aggregate(links, targets, function, arguments);
    }

    private TableRequests.Target target(TableRoute route, int link) {
        return new TableRequests.Target(
                sessionIds[topology.server(link)], route.id(link), spec.timeout());
    }

    @Override
    public CompletableFuture<RowChunk> scan(
            String table, int partition, long cursor, boolean withSlots) {
        TableRoute route = route(table);
        int link = route.link(checkPartition(route, partition));
        return tableRequests.scan(
                links[link],
                target(route, link),
                route.spec().width(),
                partition,
                cursor,
                withSlots);
    }

    @Override
    public CompletableFuture<Void> load(String table, RowChunk rows) {
        TableRoute route = route(table);
        int link = route.link(checkPartition(route, rows.partition()));
        return tableRequests.load(links[link], target(route, link), route.spec().width(), rows);
    }

    private static int checkPartition(TableRoute route, int partition) {
        if (partition < 0 || partition >= route.spec().partitions()) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no partition "
                            + partition
                            + " in table '"
                            + route.spec().name()
                            + "' of "
                            + route.spec().partitions());
        }
        return partition;
    }

    @Override
    public void close() {
        List<ExchangeOperation> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(underWay.values());
        }
        open.sort(Comparator.comparingLong(ExchangeOperation::timestamp));
        PsException gone = new PsException(ErrorCode.CLOSED, "the session is closed");
        open.forEach(operation -> finished(operation, gone));
    }
}
