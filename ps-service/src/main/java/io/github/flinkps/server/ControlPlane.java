package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlReader;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.GrantFenceMessage;
import io.github.flinkps.protocol.OpenModelMessage;
import io.github.flinkps.protocol.TableMessage;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The control loop of a server: models, tables, sessions and barriers. What it decides it hands to
 * the owners as commands and answers when all have carried them out.
 */
final class ControlPlane extends RequestHandler {
    private static final long SWEEP_NANOS = 50_000_000;
    private static final int MOST_SERVERS = 4096;
    private static final int MOST_WORKERS = 1 << 16;
    private static final int REMEMBERED_MODELS = 1 << 16;

    private final Loop loop;
    private final List<Owner> owners;
    private final long started;
    private final Map<String, ModelEntry> models = new HashMap<>();
    private final Fences fences;
    private final Registrations sessions = new Registrations();
    private final Map<Connection, Long> clients = new HashMap<>();
    private final Barriers barriers = new Barriers();
    private boolean sweeping;

    ControlPlane(Loop loop, List<Owner> owners, long onlyFence) {
        this.loop = loop;
        this.owners = owners;
        this.fences = new Fences(onlyFence, REMEMBERED_MODELS, models::containsKey);
        this.started = loop.nanoTime();
    }

    /** A control connection has said hello. */
    void admit(Connection connection, long client) {
        clients.put(connection, client);
    }

    @Override
    public void onClosed(Connection connection, Throwable cause) {
        clients.remove(connection);
        super.onClosed(connection, cause);
    }

    @Override
    void handle(ApiKey api, Connection connection, ByteBuf frame) {
        long correlation = FrameHeader.correlation(frame);
        Answer answer = new Answer(api, connection, correlation);
        switch (api) {
            case OPEN_MODEL -> open(OpenModelMessage.Request.decode(frame), answer);
            case CREATE_TABLE -> createTable(frame, answer);
            case DESCRIBE_TABLE -> describe(new ControlReader(frame), answer);
            case DROP_TABLE -> dropTable(frame, answer);
            case LIST_TABLES -> listTables(new ControlReader(frame), answer);
            case DROP_MODEL -> dropModel(frame, answer);
            case STATS -> stats(answer);
            case BARRIER -> barrier(frame, answer);
            case PING -> answer.send(out -> {});
            case GRANT_FENCE -> grant(GrantFenceMessage.Request.decode(frame), answer);
            default ->
                    throw new PsException(
                            ErrorCode.UNKNOWN_API, api + " belongs on an owner's connection");
        }
        frame.release();
    }

    /** Where an answer goes. */
    private record Answer(ApiKey api, Connection connection, long correlation, Runnable onError) {
        Answer(ApiKey api, Connection connection, long correlation) {
            this(api, connection, correlation, () -> {});
        }

        /** The same answer, with something to do before it says that owners failed. */
        Answer orElse(Runnable undo) {
            return new Answer(api, connection, correlation, undo);
        }

        void send(Consumer<ControlWriter> body) {
            ControlWriter out = new ControlWriter(connection.allocator());
            body.accept(out);
            connection.send(out.response(api, correlation));
        }

        void fail(Throwable error) {
            PsException known =
                    error instanceof PsException ps
                            ? ps
                            : new PsException(
                                    error instanceof IllegalArgumentException
                                            ? ErrorCode.INVALID_ARGUMENT
                                            : ErrorCode.INTERNAL,
                                    error instanceof IllegalArgumentException
                                            ? error.getMessage()
                                            : String.valueOf(error),
                                    error);
            connection.send(
                    ErrorFrame.of(
                            connection.allocator(),
                            api.id(),
                            correlation,
                            known.code(),
                            known.getMessage()));
        }
    }

    /** Runs a command at every owner, and then goes on here with what they returned. */
    private <T> void everywhere(Function<Owner, T> command, Answer answer, Consumer<List<T>> then) {
        List<CompletableFuture<T>> done = new ArrayList<>();
        for (Owner owner : owners) {
            CompletableFuture<T> one = new CompletableFuture<>();
            done.add(one);
            try {
                owner.loop().execute(() -> complete(one, command, owner));
            } catch (RejectedExecutionException e) {
                one.completeExceptionally(new PsException(ErrorCode.CLOSED, "server closes", e));
            }
        }
        CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]))
                .whenComplete((ok, error) -> resume(done, error, answer, then));
    }

    private <T> void resume(
            List<CompletableFuture<T>> done,
            Throwable error,
            Answer answer,
            Consumer<List<T>> then) {
        try {
            loop.execute(
                    () -> {
                        if (error == null) {
                            then.accept(done.stream().map(CompletableFuture::join).toList());
                        } else {
                            answer.onError().run();
                            answer.fail(error.getCause() == null ? error : error.getCause());
                        }
                    });
        } catch (RejectedExecutionException e) {
            answer.fail(new PsException(ErrorCode.CLOSED, "server closes", e));
        }
    }

    private static <T> void complete(
            CompletableFuture<T> one, Function<Owner, T> command, Owner owner) {
        try {
            one.complete(command.apply(owner));
        } catch (RuntimeException | Error e) {
            one.completeExceptionally(e);
        }
    }

    private void everywhere(Consumer<Owner> command, Answer answer, Runnable then) {
        this.<Boolean>everywhere(
                owner -> {
                    command.accept(owner);
                    return Boolean.TRUE;
                },
                answer,
                done -> then.run());
    }

    private void open(OpenModelMessage.Request request, Answer answer) {
        if (request.model().isEmpty()
                || request.servers() < 1
                || request.servers() > MOST_SERVERS
                || request.workers() > MOST_WORKERS
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
                            + MOST_SERVERS
                            + " servers and "
                            + MOST_WORKERS
                            + " workers");
        }
        ReadBound.of(request.consistency());
        fences.check(request.model(), request.fence());
        ModelEntry model = models.get(request.model());
        ModelEntry entry = model == null ? new ModelEntry(request) : model;
        boolean newAttempt = entry.admit(request);
        models.put(request.model(), entry);
        if (fences.admit(request.model(), request.run(), request.fence())) {
            endOlder(request.model());
        }
        if (newAttempt) {
            entry.begin(request);
        }
        long client = clients.getOrDefault(answer.connection(), 0L);
        int known = request.worker() < 0 ? 0 : entry.sessionOf(request.worker(), client);
        if (known != 0) {
            everywhere(
                    owner -> {}, answer, () -> sendOpened(answer, known, request.model(), entry));
            return;
        }
        int session = sessions.add(request.model(), request.fence(), request.worker());
        if (request.worker() >= 0) {
            entry.addWorker(request.worker(), session, client);
        }
        List<Owner> all = owners;
        everywhere(
                owner -> owner.open(order(request, entry, session, newAttempt, all.indexOf(owner))),
                answer,
                () -> sendOpened(answer, session, request.model(), entry));
    }

    private void sendOpened(Answer answer, int session, String model, ModelEntry entry) {
        Connection connection = answer.connection();
        connection.send(
                new OpenModelMessage.Response(session, fences.highest(model), entry.tables())
                        .encode(connection.allocator(), answer.correlation()));
    }

    /** The control loop's part in a new attempt: who waits at a barrier for the old one goes. */
    private void endOlder(String model) {
        Map<Integer, PsException> ended = sessions.replace(model, fences.highest(model));
        if (!ended.isEmpty()) {
            barriers.refuse(ended);
        }
    }

    /** Answers when no owner takes anything of an older attempt any more. */
    private void grant(GrantFenceMessage.Request request, Answer answer) {
        String model = request.model();
        if (request.fence() == 0) {
            tellFence(answer, fences.highest(model), fences.isOf(model, request.attempt()));
            return;
        }
        fences.grant(model, request.run(), request.attempt(), request.fence());
        endOlder(model);
        everywhere(
                owner -> owner.fence(model, request.fence()),
                answer,
                // The number granted, not the highest by now: that may be a later attempt's.
                () -> tellFence(answer, request.fence(), true));
    }

    private static void tellFence(Answer answer, long fence, boolean own) {
        Connection connection = answer.connection();
        connection.send(
                new GrantFenceMessage.Response(fence, own)
                        .encode(connection.allocator(), answer.correlation()));
    }

    /** The fence at the end of a request that changes a model; version 1 has none. */
    private void checkFence(String model, ControlReader in, ByteBuf frame) {
        if (FrameHeader.version(frame) >= 2) {
            fences.check(model, in.int64());
        }
    }

    private SessionOrder order(
            OpenModelMessage.Request request,
            ModelEntry entry,
            int session,
            boolean newAttempt,
            int owner) {
        return new SessionOrder(
                request.model(),
                new OwnerModel.OwnerPlace(entry.server(), entry.servers(), owner, owners.size()),
                session,
                Math.max(-1, request.worker()),
                request.fence(),
                request.workers(),
                request.consistency(),
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

    private void createTable(ByteBuf frame, Answer answer) {
        ControlReader in = new ControlReader(frame);
        String name = in.string();
        TableSpec spec = TableMessage.readSpec(in);
        checkFence(name, in, frame);
        ModelEntry model = model(name);
        TableMessage before = model.table(spec.name());
        if (before != null) {
            if (!before.spec().equals(spec)) {
                throw new PsException(
                        ErrorCode.CONFLICTING_DEFINITION,
                        "table '" + spec.name() + "' exists as " + before.spec() + ", not " + spec);
            }
            everywhere(owner -> {}, answer, () -> answer.send(before::write));
            return;
        }
        UpdateFunctions.create(spec.update());
        TableMessage table = model.add(spec);
        everywhere(
                owner -> {
                    owner.createTable(name, table.id(), spec);
                    return Boolean.TRUE;
                },
                answer.orElse(() -> undoCreate(name, model, table)),
                done -> answer.send(table::write));
    }

    /** An owner could not make its partitions: the table is not there. */
    private void undoCreate(String name, ModelEntry model, TableMessage table) {
        model.remove(table.spec().name());
        owners.forEach(owner -> owner.loop().execute(() -> owner.dropTable(name, table.id())));
    }

    private void describe(ControlReader in, Answer answer) {
        ModelEntry model = model(in.string());
        TableMessage table = model.existing(in.string());
        answer.send(table::write);
    }

    private void dropTable(ByteBuf frame, Answer answer) {
        ControlReader in = new ControlReader(frame);
        String name = in.string();
        String dropped = in.string();
        checkFence(name, in, frame);
        TableMessage table = model(name).remove(dropped);
        if (table == null) {
            answer.send(out -> {});
            return;
        }
        everywhere(
                owner -> owner.dropTable(name, table.id()), answer, () -> answer.send(out -> {}));
    }

    private void listTables(ControlReader in, Answer answer) {
        List<TableMessage> tables = model(in.string()).tables();
        answer.send(
                out -> {
                    out.int32(tables.size());
                    tables.forEach(table -> out.string(table.spec().name()));
                });
    }

    private void dropModel(ByteBuf frame, Answer answer) {
        ControlReader in = new ControlReader(frame);
        String name = in.string();
        checkFence(name, in, frame);
        models.remove(name);
        sessions.removeAll(name);
        everywhere(owner -> owner.dropModel(name), answer, () -> answer.send(out -> {}));
    }

    private void stats(Answer answer) {
        this.<long[]>everywhere(
                Owner::sizes,
                answer,
                sizes -> {
                    long rows = sizes.stream().mapToLong(size -> size[0]).sum();
                    long bytes = sizes.stream().mapToLong(size -> size[1]).sum();
                    long requests = requests() + owners.stream().mapToLong(Owner::requests).sum();
                    int tables = models.values().stream().mapToInt(m -> m.tables().size()).sum();
                    AdminMessages.Stats stats =
                            new AdminMessages.Stats(
                                    (loop.nanoTime() - started) / 1_000_000,
                                    models.size(),
                                    tables,
                                    rows,
                                    bytes,
                                    requests,
                                    owners.size());
                    answer.send(out -> out.bytes(new AdminCodec().encode(stats)));
                });
    }

    private void barrier(ByteBuf frame, Answer answer) {
        AdminMessages.Barrier barrier =
                new AdminCodec()
                        .decode(new ControlReader(frame).bytes(), AdminMessages.Barrier.class);
        String model = sessions.model(barrier.session());
        long deadline = loop.nanoTime() + FrameHeader.word(frame) * 1_000_000L;
        barriers.arrive(
                new Barriers.Party(barrier.session(), sessions.worker(barrier.session())),
                model + "/" + barrier.name(),
                barrier,
                new Barriers.Arrival(
                        answer.connection(), answer.correlation(), deadline, barrier.values()));
        if (!barriers.isEmpty() && !sweeping) {
            sweeping = true;
            loop.schedule(this::sweep, SWEEP_NANOS);
        }
    }

    private void sweep() {
        barriers.expire(loop.nanoTime() + 2 * SWEEP_NANOS);
        sweeping = !barriers.isEmpty();
        if (sweeping) {
            loop.schedule(this::sweep, SWEEP_NANOS);
        }
    }

    void close() {
        barriers.close();
        models.clear();
    }
}
