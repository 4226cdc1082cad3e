package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.GrantFenceMessage;
import io.github.flinkps.protocol.ModelMessages;
import io.github.flinkps.protocol.ModelStateMessage;
import io.github.flinkps.protocol.OpenModelMessage;
import io.github.flinkps.protocol.TableMessage;
import io.github.flinkps.security.AccessRules;
import io.github.flinkps.security.AccessRules.Right;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The control loop of a server: models, tables, sessions and barriers. What it decides it hands to
 * the owners as commands and answers when all have carried them out.
 */
final class ControlPlane extends RequestHandler {
    private static final long SWEEP_NANOS = 50_000_000;
    private static final long RULES_NANOS = 1_000_000_000;
    private static final long LET_GO_NANOS = 10_000_000_000L;

    /** Most characters of a name of a model, run, attempt or barrier. */
    private static final int MOST_OF_NAME = 512;

    /** Most models that an answer names. */
    private static final int MOST_LISTED = 256;

    private static final int REMEMBERED_MODELS = 1 << 16;

    private final Loop loop;
    private final List<Owner> owners;
    private final long started;
    private final NavigableMap<String, ModelEntry> models = new TreeMap<>();
    private final Fences fences;
    private final Registrations sessions = new Registrations();
    private final Barriers barriers = new Barriers();
    private final OwnerCommands commands;
    private final CutControl cuts;
    private final AccessRules rules;
    private boolean sweeping;
    private boolean lettingGo;
    private boolean closed;

    ControlPlane(
            Loop loop, List<Owner> owners, ServerConfig config, AccessRules rules, CutWork work) {
        this.loop = loop;
        this.owners = owners;
        this.commands = new OwnerCommands(loop, owners);
        this.cuts = new CutControl(loop, owners, commands, work, config);
        this.started = loop.nanoTime();
        this.rules = rules;
        this.fences =
                new Fences(
                        config.fence(),
                        REMEMBERED_MODELS,
                        models::containsKey,
                        (client, model) ->
                                new SessionAccess(rules, client, model).permits(Right.TRAIN));
        if (rules.areAny()) {
            loop.schedule(this::lookUpAccess, RULES_NANOS);
        }
    }

    /** Lets changed rules count for the sessions that are open. */
    private void lookUpAccess() {
        if (!closed) {
            try {
                sessions.lookUpAccess(rules.now());
            } finally {
                loop.schedule(this::lookUpAccess, RULES_NANOS);
            }
        }
    }

    /** Notes that a client has a connection more. */
    void connected(long client) {
        sessions.connected(client);
    }

    /** Notes that a client has a connection less. */
    void disconnected(long client) {
        sessions.disconnected(client, loop.nanoTime());
        letGoLater();
    }

    private void letGoLater() {
        if (!lettingGo && !closed && sessions.areAnyLeft()) {
            loop.schedule(this::letGo, LET_GO_NANOS);
            lettingGo = true;
        }
    }

    private void letGo() {
        lettingGo = false;
        if (!closed) {
            Set<Integer> over = sessions.letGo(loop.nanoTime());
            owners.forEach(owner -> owner.loop().execute(() -> owner.letGo(over)));
            letGoLater();
        }
    }

    private SessionAccess access(ControlAnswer answer, String model) {
        checkName("model", model); // before rules are matched with it
        return new SessionAccess(rules, answer.connection().clientName(), model);
    }

    /** Returns what a session belongs to, whose client needs a right. */
    private Registrations.Registration session(int id, Right wanted, ControlAnswer answer) {
        Registrations.Registration found = sessions.get(id, answer.connection().client());
        access(answer, found.model()).check(wanted);
        return found;
    }

    /**
     * @throws PsException CLOSED once the server closes: what still comes would never be answered
     */
    void checkOpen() {
        if (closed) {
            throw new PsException(ErrorCode.CLOSED, "the server closes");
        }
    }

    @Override
    void handle(ApiKey api, Connection connection, ByteBuf frame) {
        checkOpen();
        long correlation = FrameHeader.correlation(frame);
        ControlAnswer answer = new ControlAnswer(api, connection, correlation);
        switch (api) {
            case OPEN_MODEL -> open(OpenModelMessage.Request.decode(frame), answer);
            case CREATE_TABLE -> createTable(ModelMessages.CreateTable.decode(frame), answer);
            case DESCRIBE_TABLE -> describe(ModelMessages.DescribeTable.decode(frame), answer);
            case DROP_TABLE -> dropTable(ModelMessages.DropTable.decode(frame), answer);
            case LIST_TABLES -> listTables(ModelMessages.ListTables.decode(frame), answer);
            case LIST_MODELS -> listModels(ModelMessages.ListModels.decode(frame), answer);
            case DROP_MODEL -> dropModel(ModelMessages.DropModel.decode(frame), answer);
            case STATS -> stats(answer);
            case BARRIER ->
                    barrier(
                            AdminCodec.decode(frame, AdminMessages.Barrier.class),
                            FrameHeader.timeoutMillis(frame),
                            answer);
            case PING -> answer.send(out -> {});
            case MODEL_STATE -> state(ModelStateMessage.Request.decode(frame), answer);
            case GRANT_FENCE -> grant(GrantFenceMessage.Request.decode(frame), answer);
            case BEGIN_CUTS -> {
                AdminMessages.BeginCuts message =
                        AdminCodec.decode(frame, AdminMessages.BeginCuts.class);
                Registrations.Registration worker = session(message.session(), Right.TRAIN, answer);
                cuts.begin(worker, model(worker.model()), message, answer);
            }
            case AWAIT_CUT -> {
                AdminMessages.AwaitCut message =
                        AdminCodec.decode(frame, AdminMessages.AwaitCut.class);
                long deadline = loop.nanoTime() + FrameHeader.timeoutMillis(frame) * 1_000_000L;
                cuts.await(
                        session(message.session(), Right.TRAIN, answer),
                        message.cut(),
                        deadline,
                        answer);
            }
            case ABORT_CUT -> {
                AdminMessages.AbortCut message =
                        AdminCodec.decode(frame, AdminMessages.AbortCut.class);
                cuts.abort(session(message.session(), Right.TRAIN, answer), message, answer);
            }
            default ->
                    throw new PsException(
                            ErrorCode.UNKNOWN_API, api + " belongs on an owner's connection");
        }
        frame.release();
    }

    @Override
    public void onClosed(Connection connection, Throwable cause) {
        super.onClosed(connection, cause);
        barriers.closed(connection);
        cuts.closed(connection);
    }

    /** Refuses names of a length that nobody needs: they are kept. */
    private static void checkName(String of, String name) {
        if (name.length() > MOST_OF_NAME) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "the name of a "
                            + of
                            + " must have at most "
                            + MOST_OF_NAME
                            + " characters, not "
                            + name.length());
        }
    }

    /** Refuses what no model can be. */
    private static void checkShape(OpenModelMessage.Request request) {
        checkName("model", request.model());
        checkName("run", request.run());
        if (request.model().isEmpty()
                || request.servers() < 1
                || request.servers() > ServerConfig.MOST_SERVERS
                || request.workers() > ServerConfig.MOST_WORKERS
                || request.server() < 0
                || request.server() >= request.servers()) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "model '"
                            + request.model()
                            + "' at server "
                            + request.server()
                            + " of "
                            + request.servers()
                            + " with "
                            + request.workers()
                            + " workers: at most "
                            + ServerConfig.MOST_SERVERS
                            + " servers and "
                            + ServerConfig.MOST_WORKERS
                            + " workers");
        }
    }

    private void open(OpenModelMessage.Request request, ControlAnswer answer) {
        checkShape(request);
        boolean reads = request.worker() < 0 && request.fence() == 0;
        SessionAccess access = access(answer, request.model());
        access.check(reads ? Right.READ : Right.TRAIN);
        if (!access.permits(Right.TRAIN)) {
            model(request.model()); // must be there: to make one is to train
        }
        ReadBound.of(request.consistency());
        fences.check(request.model(), request.fence());
        ModelEntry model = models.get(request.model());
        ModelEntry entry = model == null ? new ModelEntry(request) : model;
        boolean newAttempt = entry.admit(request);
        if (fences.admit(access.client(), request.model(), request.run(), request.fence())) {
            endOlder(request.model());
        }
        long client = answer.connection().client();
        int known =
                newAttempt || request.worker() < 0 ? 0 : entry.sessionOf(request.worker(), client);
        if (known != 0) {
            commands.everywhere(
                    owner -> {}, answer, () -> sendOpened(answer, known, request.model(), entry));
            return;
        }
        Registrations.Registration opened =
                new Registrations.Registration(
                        client, request.model(), request.fence(), request.worker(), access);
        int session = sessions.add(opened); // before anything of the model changes
        models.put(request.model(), entry);
        if (newAttempt) {
            entry.begin(request);
        }
        if (request.worker() >= 0) {
            entry.addWorker(request.worker(), session, client);
        }
        List<Owner> all = owners;
        commands.everywhere(
                owner ->
                        owner.open(
                                order(
                                        request,
                                        entry,
                                        opened,
                                        session,
                                        newAttempt,
                                        all.indexOf(owner))),
                answer,
                () -> sendOpened(answer, session, request.model(), entry));
    }

    private void sendOpened(ControlAnswer answer, int session, String model, ModelEntry entry) {
        answer.sendFrame(
                () ->
                        new OpenModelMessage.Response(
                                        session, fences.highest(model), entry.tables())
                                .encode(answer.connection().allocator(), answer.correlation()));
    }

    /**
     * Ends older attempts of a model on the control loop: whoever waits at a barrier or for a cut
     * of one fails.
     */
    private void endOlder(String model) {
        Map<Integer, PsException> ended = sessions.replace(model, fences.highest(model));
        if (!ended.isEmpty()) {
            barriers.refuse(ended);
            cuts.fence(model, fences.highest(model));
        }
    }

    /** Answers when no owner takes anything of an older attempt any more. */
    private void grant(GrantFenceMessage.Request request, ControlAnswer answer) {
        String model = request.model();
        access(answer, model).check(request.fence() == 0 ? Right.READ : Right.TRAIN);
        checkName("model", model);
        checkName("run", request.run());
        checkName("attempt", request.attempt());
        if (request.fence() == 0) {
            tellFence(answer, fences.highest(model), fences.isOf(model, request.attempt()));
            return;
        }
        fences.grant(
                answer.connection().clientName(),
                model,
                request.run(),
                request.attempt(),
                request.fence());
        endOlder(model);
        commands.everywhere(
                owner -> owner.fence(model, request.fence()),
                answer,
                // The number granted, not the highest by now: that may be a later attempt's.
                () -> tellFence(answer, request.fence(), true));
    }

    private static void tellFence(ControlAnswer answer, long fence, boolean own) {
        answer.sendFrame(
                () ->
                        new GrantFenceMessage.Response(fence, own)
                                .encode(answer.connection().allocator(), answer.correlation()));
    }

    private SessionOrder order(
            OpenModelMessage.Request request,
            ModelEntry entry,
            Registrations.Registration of,
            int session,
            boolean newAttempt,
            int owner) {
        return new SessionOrder(
                request.model(),
                new OwnerModel.OwnerShare(entry.server(), entry.servers(), owner, owners.size()),
                session,
                of.client(),
                Math.max(-1, request.worker()),
                request.fence(),
                request.workers(),
                request.consistency(),
                of.access(),
                newAttempt);
    }

    private ModelEntry model(String name) {
        ModelEntry model = models.get(name);
        if (model == null) {
            throw new PsException(
                    ErrorCode.UNKNOWN_MODEL, "no model '" + name + "' on this server");
        }
        return model;
    }

    private void createTable(ModelMessages.CreateTable request, ControlAnswer answer) {
        String name = request.model();
        TableSpec spec = request.spec();
        access(answer, name).check(Right.TRAIN);
        fences.check(name, request.fence());
        ModelEntry model = model(name);
        TableMessage before = model.table(spec.name());
        if (before != null) {
            if (!before.spec().equals(spec)) {
                throw new PsException(
                        ErrorCode.CONFLICTING_DEFINITION,
                        "table '" + spec.name() + "' exists as " + before.spec() + ", not " + spec);
            }
            commands.everywhere(owner -> {}, answer, () -> answer.send(before::write));
            return;
        }
        checkRoom(spec, model.servers());
        TableMessage table = model.add(spec, UpdateFunctions.factory(spec.update().name()).input());
        commands.everywhere(
                owner -> {
                    owner.createTable(name, table.id(), spec);
                    return Boolean.TRUE;
                },
                answer.orElse(() -> undoCreate(name, model, table)),
                done -> answer.send(table::write));
    }

    /**
     * Checks that a table that nobody has trained leaves half of the heap, so that no size that is
     * only said takes the memory of others.
     */
    private static void checkRoom(TableSpec spec, int servers) {
        long heap = Runtime.getRuntime().maxMemory();
        long empty = Partition.emptyBytes(spec, UpdateFunctions.create(spec.update()));
        int here = (spec.partitions() + servers - 1) / servers; // as many as a server holds at most
        empty = empty / spec.partitions() * here;
        if (empty > heap / 2) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "table '"
                            + spec.name()
                            + (spec.isSparse() ? "': " : "': size " + spec.size() + " and ")
                            + spec.partitions()
                            + " partitions take about "
                            + (empty >> 20)
                            + " MiB on each of "
                            + servers
                            + " server(s) before a row is trained, more than half of the heap of "
                            + (heap >> 20)
                            + " MiB; make it smaller or sparse, with fewer partitions, add servers,"
                            + " or raise their heap");
        }
    }

    /** Removes a table again whose partitions an owner could not make. */
    private void undoCreate(String name, ModelEntry model, TableMessage table) {
        model.remove(table.spec().name());
        owners.forEach(owner -> owner.loop().execute(() -> owner.dropTable(name, table.id())));
    }

    private void describe(ModelMessages.DescribeTable request, ControlAnswer answer) {
        access(answer, request.model()).check(Right.READ);
        TableMessage table = model(request.model()).existing(request.table());
        answer.send(table::write);
    }

    /**
     * Checks the right to drop: a client drops what it has been granted with TRAIN; anything else
     * needs ADMINISTER.
     */
    private void checkDrop(String model, long fence, ControlAnswer answer) {
        boolean own = fence != 0 && fences.isOf(answer.connection().clientName(), model, fence);
        access(answer, model).check(own ? Right.TRAIN : Right.ADMINISTER);
    }

    private void dropTable(ModelMessages.DropTable request, ControlAnswer answer) {
        String name = request.model();
        checkDrop(name, request.fence(), answer);
        fences.check(name, request.fence());
        TableMessage table = model(name).remove(request.table());
        if (table == null) {
            answer.send(out -> {});
            return;
        }
        commands.everywhere(
                owner -> owner.dropTable(name, table.id()), answer, () -> answer.send(out -> {}));
    }

    private void listTables(ModelMessages.ListTables request, ControlAnswer answer) {
        access(answer, request.model()).check(Right.READ);
        List<TableMessage> tables = model(request.model()).tables();
        List<String> names = tables.stream().map(table -> table.spec().name()).toList();
        answer.send(new ModelMessages.TableNames(names)::write);
    }

    /** Lists what the client may read; of other models it does not learn that they are there. */
    private void listModels(ModelMessages.ListModels request, ControlAnswer answer) {
        List<String> names = new ArrayList<>();
        boolean more = false;
        AccessRules now = rules.now();
        String client = answer.connection().clientName();
        for (String name : models.tailMap(request.after(), false).keySet()) {
            if (new SessionAccess(now, client, name).permits(Right.READ)) {
                more = names.size() == MOST_LISTED;
                if (more) {
                    break;
                }
                names.add(name);
            }
        }
        answer.send(new ModelMessages.ModelNames(names, more)::write);
    }

    private void dropModel(ModelMessages.DropModel request, ControlAnswer answer) {
        String name = request.model();
        checkDrop(name, request.fence(), answer);
        fences.check(name, request.fence());
        if (!models.containsKey(name) || !cuts.hasTrained(name, request.unlessOf())) {
            dropModel(name, answer);
            return;
        }
        commands.<Boolean>everywhere(
                owner -> owner.lacksRound(name),
                answer,
                lacking -> {
                    fences.check(name, request.fence()); // a newer attempt may have come since
                    if (lacking.contains(true)) {
                        dropModel(name, answer);
                    } else {
                        answer.send(new ModelMessages.ModelDropped(true)::write);
                    }
                });
    }

    private void dropModel(String name, ControlAnswer answer) {
        models.remove(name);
        cuts.forget(name);
        sessions.removeAll(name);
        commands.everywhere(
                owner -> owner.dropModel(name),
                answer,
                () -> answer.send(new ModelMessages.ModelDropped(false)::write));
    }

    /** Answers when all owners have carried the order out. */
    private void state(ModelStateMessage.Request request, ControlAnswer answer) {
        boolean asks = request.order() == ModelStateMessage.Order.ASK;
        Registrations.Registration of =
                session(request.session(), asks ? Right.READ : Right.TRAIN, answer);
        if (of.fence() == 0 && !asks) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "only an attempt says who may read model '" + of.model() + "'");
        }
        commands.<ModelStateMessage.Response>everywhere(
                owner -> owner.state(of.model(), request.order()),
                answer,
                states -> {
                    boolean readable =
                            states.stream().allMatch(ModelStateMessage.Response::readable);
                    boolean trained = states.stream().anyMatch(ModelStateMessage.Response::trained);
                    answer.send(new ModelStateMessage.Response(readable, trained)::write);
                });
    }

    /**
     * Returns what there is, with what owners have told of themselves.
     *
     * @throws PsException CLOSED
     */
    ServerReport report(List<ServerReport.OfOwner> ofOwners) {
        checkOpen();
        return new ServerReport(
                Duration.ofNanos(loop.nanoTime() - started),
                models.size(),
                models.values().stream().mapToInt(model -> model.tables().size()).sum(),
                requests(),
                ofOwners);
    }

    private void stats(ControlAnswer answer) {
        commands.<ServerReport.OfOwner>everywhere(
                Owner::report,
                answer,
                told -> {
                    byte[] encoded = new AdminCodec().encode(report(told).stats());
                    answer.send(out -> out.bytes(encoded));
                });
    }

    private void barrier(AdminMessages.Barrier barrier, int millis, ControlAnswer answer) {
        Registrations.Registration of = session(barrier.session(), Right.TRAIN, answer);
        checkName("barrier", barrier.name());
        long deadline = loop.nanoTime() + millis * 1_000_000L;
        beginSweeps();
        barriers.arrive(
                new Barriers.Party(barrier.session(), of.worker()),
                new Barriers.Name(of.model(), barrier.name()),
                barrier,
                new Barriers.Arrival(answer, deadline, barrier.values()));
    }

    /** Begins to sweep deadlines; to be called before anybody waits. */
    private void beginSweeps() {
        if (!sweeping) {
            loop.schedule(this::sweep, SWEEP_NANOS);
            sweeping = true;
        }
    }

    private void sweep() {
        sweeping = false;
        try {
            barriers.expire(loop.nanoTime() + 2 * SWEEP_NANOS);
        } finally {
            if (!barriers.isEmpty()) {
                beginSweeps();
            }
        }
    }

    void close() {
        closed = true;
        barriers.close();
        cuts.close();
        models.clear();
    }
}
