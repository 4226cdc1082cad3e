package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.ModelStateMessage;
import io.github.flinkps.protocol.RowsMessage;
import io.github.flinkps.protocol.ScanMessage;
import io.github.flinkps.security.AccessRules.Right;
import io.github.flinkps.server.aggregate.AggregateFunctions;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An owner thread: it decodes, applies and answers the requests of its connections on its own loop,
 * and touches its partitions alone. Commands of the control loop arrive on the loop as well.
 */
final class Owner extends RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Owner.class);

    private static final long SWEEP_NANOS = 20_000_000;

    /** The time before its deadline when a pull is answered: the answer has to travel yet. */
    private static final long EXPIRY_NANOS = 3 * SWEEP_NANOS;

    private static final int CHUNK_FLOATS = 128 * 1024;

    private final Loop loop;
    private final ServerConfig config;
    private final KeyCache cache;
    private final Map<String, OwnerModel> models = new HashMap<>();

    /** The newest attempt of each model. */
    private final Map<String, Long> fences = new HashMap<>();

    private final IntObjectHashMap<OwnerSession> sessions = new IntObjectHashMap<>();
    private final ReplacedSessions replaced = new ReplacedSessions();
    private final SuspendedModels suspended = new SuspendedModels();
    private final AggregateQueue aggregates;
    private final AggregateFunctions aggregateFunctions = new AggregateFunctions();

    private boolean sweeping;
    private boolean closed;

    Owner(Loop loop, ServerConfig config) {
        this.loop = loop;
        this.config = config;
        this.cache = new KeyCache(config.store().keyCacheBytes());
        this.aggregates = new AggregateQueue(loop);
    }

    Loop loop() {
        return loop;
    }

    /** Returns the models that have sessions here. */
    Iterable<OwnerModel> models() {
        return models.values();
    }

    @Override
    void handle(ApiKey api, Connection connection, ByteBuf frame) {
        assert loop.inLoop();
        switch (api) {
            case EXCHANGE -> exchange(connection, frame);
            case SCAN -> scan(connection, frame);
            case LOAD -> load(connection, frame);
            case AGGREGATE -> aggregate(connection, frame);
            case PING -> acknowledge(api, connection, frame);
            default ->
                    throw new PsException(
                            ErrorCode.UNKNOWN_API, api + " belongs on a control connection");
        }
    }

    private OwnerSession session(int id, Connection connection, Right wanted) {
        if (closed) {
            throw new PsException(ErrorCode.CLOSED, "the server closes");
        }
        OwnerSession session = sessions.get(id);
        if (session == null) {
            throw replaced.missing(id, connection.client());
        }
        session.checkClient(connection.client());
        session.check(wanted);
        suspended.check(session);
        return session;
    }

    private void exchange(Connection connection, ByteBuf frame) {
        LogEntry entry = new LogEntry(frame);
        Right wanted = entry.hasEntry() ? Right.TRAIN : Right.READ;
        OwnerSession session = session(entry.session(), connection, wanted);
        ExchangeRequest request = new ExchangeRequest(connection, session, entry, loop.nanoTime());
        beginSweeps();
        try {
            entry.bind(session, cache, config.requests().maxFrameBytes());
            session.model().handle(request);
        } catch (RuntimeException | Error e) {
            if (request.abandon()) {
                throw e;
            }
            loop.report(e);
            LOG.error("after request of {} was answered", connection.peer(), e);
        }
    }

    /** Sees to it, before anything waits for others, that it does not wait for ever. */
    private void beginSweeps() {
        if (!sweeping) {
            loop.schedule(this::sweep, SWEEP_NANOS);
            sweeping = true;
        }
    }

    private void sweep() {
        sweeping = false;
        long now = loop.nanoTime();
        try {
            models.values().forEach(model -> model.attempt().expire(now, EXPIRY_NANOS));
        } finally {
            if (models.values().stream().anyMatch(model -> model.attempt().isWaiting())) {
                beginSweeps();
            }
        }
    }

    @Override
    public void onClosed(Connection connection, Throwable cause) {
        super.onClosed(connection, cause);
        models.values().forEach(model -> model.attempt().closed(connection));
        aggregates.closed(connection);
    }

    private static void acknowledge(ApiKey api, Connection connection, ByteBuf frame) {
        connection.send(
                new ControlWriter(connection.allocator())
                        .response(api, FrameHeader.correlation(frame)));
        frame.release();
    }

    private void scan(Connection connection, ByteBuf frame) {
        ScanMessage request = ScanMessage.decode(frame);
        OwnerSession session = session(request.session(), connection, Right.READ);
        OwnerTable table = session.model().table(request.table());
        checkNotLost(session);
        Partition partition = partition(table, request.partition());
        int first = ScanCursor.row(request.cursor(), partition);
        int width = table.spec().width();
        float[][] slots = new float[request.withSlots() ? partition.slotCount() : 0][];
        // A key has as many bytes as two values, and a row as few as one value.
        int floats = Math.min(CHUNK_FLOATS, config.requests().maxFrameBytes() / 16);
        int most =
                (int) Math.max(1, Math.min(floats / width / (1 + slots.length), partition.rows()));
        AnswerRoom.check(connection, 4L * most * (2 + width * (1 + slots.length)));
        long[] keys = new long[most];
        float[] values = new float[most * width];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = new float[most * width];
        }
        int rows = partition.export(first, most, keys, values, request.withSlots() ? slots : null);
        RowsMessage answer =
                new RowsMessage(
                        0,
                        table.id(),
                        partition.index(),
                        ScanCursor.next(first, rows, partition),
                        table.log(request.partition()).counts(),
                        width,
                        Arrays.copyOf(keys, rows),
                        values,
                        slots);
        connection.send(
                answer.encodeResponse(connection.allocator(), FrameHeader.correlation(frame)));
        frame.release();
    }

    /** Refuses rows that lack a round to those by whom an attempt saves its model. */
    private static void checkNotLost(OwnerSession session) {
        PsException lost = session.model().attempt().effects().lostRound();
        if (lost != null && session.isOfAttempt()) {
            throw lost;
        }
    }

    private static Partition partition(OwnerTable table, int index) {
        if (index < 0 || index >= table.spec().partitions()) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "no partition " + index + " of table '" + table.spec().name() + "'");
        }
        Partition partition = table.partition(index);
        if (partition == null) {
            throw new PsException(
                    ErrorCode.NOT_OWNER,
                    "partition "
                            + index
                            + " of table '"
                            + table.spec().name()
                            + "' is not owned here");
        }
        return partition;
    }

    private void load(Connection connection, ByteBuf frame) {
        OwnerModel model = session(RowsMessage.session(frame), connection, Right.TRAIN).model();
        OwnerTable table = model.table(RowsMessage.table(frame));
        model.attempt().checkSavedRows();
        RowsMessage rows = RowsMessage.decode(frame, table.spec().width());
        Partition partition = partition(table, rows.partition());
        int slots = rows.slots().length;
        if (slots != 0 && slots != partition.slotCount()) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    slots
                            + " slots for table '"
                            + table.spec().name()
                            + "', whose optimizer "
                            + table.spec().update().name()
                            + " has "
                            + partition.slotCount());
        }
        model.attempt().effects().load(table.log(rows.partition()), rows);
        acknowledge(ApiKey.LOAD, connection, frame);
    }

    private void aggregate(Connection connection, ByteBuf frame) {
        aggregates.admit(connection, frame.readableBytes());
        AdminMessages.Aggregate request = AdminCodec.decode(frame, AdminMessages.Aggregate.class);
        OwnerSession session = session(request.session(), connection, Right.READ);
        AggregateScan scan =
                new AggregateScan(
                        session.model(),
                        aggregateFunctions.find(request.function()),
                        () -> suspended.check(session),
                        request,
                        config.requests().maxFrameBytes(),
                        connection,
                        FrameHeader.correlation(frame));
        // Answers by itself, whatever happens; nothing after the release may throw.
        frame.release();
        aggregates.add(connection, scan);
    }

    // Commands of the control loop.

    /** Adds a session; a new attempt of the model first drops those of workers before it. */
    void open(SessionOrder order) {
        assert loop.inLoop();
        OwnerModel model =
                models.computeIfAbsent(
                        order.model(), name -> new OwnerModel(name, order.share(), config));
        fence(order.model(), order.fence());
        if (order.newAttempt()) {
            model.beginAttempt(order.consistency(), order.workers());
        }
        OwnerAttempt attempt = order.worker() < 0 ? null : model.attempt();
        sessions.put(order.session(), new OwnerSession(order, model, attempt));
    }

    /** Forgets plain sessions whose clients are gone, and their lists of keys. */
    void letGo(Set<Integer> over) {
        assert loop.inLoop();
        over.forEach(sessions::remove);
        cache.removeSessions(over);
    }

    /** Ends the sessions of all attempts of the model before this one. */
    void fence(String name, long fence) {
        assert loop.inLoop();
        OwnerModel model = models.get(name);
        if (model == null) {
            return;
        }
        fences.merge(name, fence, Math::max);
        Map<OwnerSession, PsException> ended = new LinkedHashMap<>();
        for (OwnerSession session : sessions.values()) {
            if (session.model() == model && session.isOlderThan(fence)) {
                ended.put(session, session.replaced(replaced, fence));
            }
        }
        Set<Integer> over = new HashSet<>();
        ended.keySet().forEach(session -> over.add(session.id()));
        letGo(over);
        ended.forEach(OwnerSession::end);
        model.end(ended);
    }

    /**
     * Begins an attempt's cuts.
     *
     * @return the clocks of its workers
     */
    long[] beginCuts(CutContext context) {
        return beginCuts(present(context), context);
    }

    /** Begins an attempt's cuts; the rows are now those it goes on from. */
    private long[] beginCuts(OwnerModel model, CutContext context) {
        long[] clocks = model.beginCuts(context);
        suspended.serve(context.attempt().model());
        return clocks;
    }

    /** Removes all rows of a model, to be restored. */
    OwnerRestore beginRestore(CutContext context) {
        OwnerModel model = present(context);
        suspended.suspend(context.attempt().model());
        return model.restore();
    }

    /**
     * Begins an attempt's cuts after all partitions are restored; its workers begin at these
     * clocks.
     */
    long[] beginCuts(CutContext context, OwnerRestore restore, WorkerClocks clocks) {
        OwnerModel model = present(context);
        model.restored(restore, clocks);
        return beginCuts(model, context);
    }

    /** Begins an attempt's cuts with rows as they are; its workers begin at these clocks. */
    long[] beginCuts(CutContext context, WorkerClocks clocks) {
        OwnerModel model = present(context);
        model.beginAt(clocks);
        return beginCuts(model, context);
    }

    /** Carries out an order about who may read a model, and says how the model stands then. */
    ModelStateMessage.Response state(String name, ModelStateMessage.Order order) {
        assert loop.inLoop();
        switch (order) {
            case SUSPEND -> suspended.suspend(name);
            case SERVE -> suspended.serve(name);
            case ASK -> {}
        }
        boolean trained = models.get(name).attempt().effects().clocks().haveMoved();
        return new ModelStateMessage.Response(!suspended.isSuspended(name), trained);
    }

    /**
     * Returns the model of an attempt.
     *
     * @throws PsException UNKNOWN_MODEL if it is gone, FENCED if a newer attempt has it
     */
    OwnerModel present(CutContext context) {
        assert loop.inLoop();
        OwnerModel model = models.get(context.attempt().model());
        long newest = fences.getOrDefault(context.attempt().model(), 0L);
        if (model == null
                || context.attempt().fence() > newest) { // another may have been made since
            throw new PsException(
                    ErrorCode.UNKNOWN_MODEL, "model '" + context.attempt().model() + "' is gone");
        }
        if (context.attempt().fence() < newest) {
            throw new PsException(
                    ErrorCode.FENCED,
                    "model '"
                            + context.attempt().model()
                            + "' belongs to a newer attempt, "
                            + newest
                            + ", not "
                            + context.attempt().fence());
        }
        return model;
    }

    /** Returns whether rows of a model lack a round that was acknowledged. Call it on the loop. */
    boolean lacksRound(String name) {
        assert loop.inLoop();
        OwnerModel model = models.get(name);
        return model != null && model.attempt().effects().lostRound() != null;
    }

    /** Gives up a cut that has been given up elsewhere. Call it on the loop. */
    void abortCut(CutOutcomes.Name cut) {
        assert loop.inLoop();
        OwnerModel model = models.get(cut.model());
        if (model != null) {
            model.attempt().abortCut(cut.fence(), cut.cut());
        }
    }

    void createTable(String model, int id, TableSpec spec) {
        assert loop.inLoop();
        models.get(model).createTable(id, spec);
    }

    void dropTable(String model, int id) {
        assert loop.inLoop();
        OwnerModel owner = models.get(model);
        OwnerTable table = owner == null ? null : owner.dropTable(id);
        if (table != null) {
            cache.remove(table);
            sessions.values().stream()
                    .filter(session -> session.model() == owner)
                    .forEach(session -> session.plainLog().forget(table));
        }
    }

    void dropModel(String name) {
        assert loop.inLoop();
        OwnerModel model = models.remove(name);
        fences.remove(name);
        suspended.serve(name);
        if (model != null) {
            PsException gone =
                    new PsException(ErrorCode.UNKNOWN_MODEL, "model '" + name + "' is gone");
            model.tables().forEach(cache::remove);
            for (OwnerSession session : List.copyOf(sessions.values())) {
                if (session.model() == model) {
                    sessions.remove(session.id());
                    session.end(gone);
                }
            }
            model.close(gone);
        }
    }

    /** Returns what there is here, and waits. Call it on the loop. */
    ServerReport.OfOwner report() {
        assert loop.inLoop();
        long rows = 0;
        long bytes = 0;
        int parked = 0;
        long deferredBytes = 0;
        long savedBytes = 0;
        for (OwnerModel model : models.values()) {
            parked += model.attempt().parked();
            deferredBytes += model.attempt().cuts().deferredBytes();
            savedBytes += model.attempt().cuts().savedBytes();
            for (OwnerTable table : model.tables()) {
                for (int p : table.owned()) {
                    rows += table.partition(p).rows();
                    bytes += table.partition(p).bytes();
                }
            }
        }
        return new ServerReport.OfOwner(rows, bytes, requests(), parked, deferredBytes, savedBytes);
    }

    /** Drops everything; whatever still comes is refused. */
    void close() {
        PsException closing = new PsException(ErrorCode.CLOSED, "the server closes");
        closed = true;
        sessions.values().forEach(session -> session.end(closing));
        models.values().forEach(model -> model.close(closing));
        models.clear();
        sessions.clear();
    }
}
