package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.aggregate.AggregateMerger;
import io.github.flinkps.common.aggregate.AggregateMergers;
import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.BarrierValues;
import io.github.flinkps.protocol.ControlReader;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.protocol.ModelMessages;
import io.github.flinkps.protocol.RowsMessage;
import io.github.flinkps.protocol.ScanMessage;
import io.github.flinkps.protocol.TableMessage;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Requests beside the hot path: definitions, barriers, whole rows. Thread-safe. */
final class TableRequests {
    private final ServerLink[] controls;
    private final Loop loop;

    TableRequests(ServerLink[] controls, Loop loop) {
        this.controls = controls;
        this.loop = loop;
    }

    /** A definition, what a push to it is, and the table's number at each server. */
    record Found(TableSpec spec, UpdateInput input, int[] ids) {}

    /** The table and session that a request is about, and how long it may take. */
    record Target(int session, int table, Duration timeout) {}

    /**
     * Sends a request over a link; the future completes with what {@code read} makes of the answer.
     */
    <T> CompletableFuture<T> ask(
            ServerLink link, ByteBuf frame, Duration timeout, Function<ByteBuf, T> read) {
        CompletableFuture<T> result = new CompletableFuture<>();
        link.send(
                new PendingRequest(
                        loop.nanoTime() + timeout.toNanos(), link.window(), frame.readableBytes()) {
                    @Override
                    ByteBuf encode(boolean spellKeys) {
                        return frame.copy();
                    }

                    @Override
                    void onAnswer(ByteBuf response) {
                        result.complete(read.apply(response));
                        frame.release();
                    }

                    @Override
                    void onFailure(PsException error) {
                        frame.release();
                        result.completeExceptionally(error);
                    }
                });
        return result;
    }

    /** Asks every server the same and collects the answers in their order. */
    <T> CompletableFuture<List<T>> askAll(
            Function<Integer, ByteBuf> frame, Duration timeout, Function<ByteBuf, T> read) {
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (int server = 0; server < controls.length; server++) {
            all.add(ask(controls[server], frame.apply(server), timeout, read));
        }
        return join(all);
    }

    /** Completes with all results, or with the first error. */
    static <T> CompletableFuture<List<T>> join(List<CompletableFuture<T>> all) {
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
                .handle(
                        (done, error) -> {
                            if (error == null) {
                                return all.stream().map(CompletableFuture::join).toList();
                            }
                            throw PsException.of(
                                    error.getCause() == null ? error : error.getCause());
                        });
    }

    CompletableFuture<Found> create(SessionSpec session, TableSpec table) {
        return askAll(
                        server ->
                                new ModelMessages.CreateTable(
                                                session.model(), table, session.fence())
                                        .encode(ServerLink.allocator()),
                        session.timeout(),
                        response -> TableMessage.read(new ControlReader(response)))
                .thenApply(TableRequests::found);
    }

    CompletableFuture<Found> describe(SessionSpec session, String table) {
        return askAll(
                        server ->
                                new ModelMessages.DescribeTable(session.model(), table)
                                        .encode(ServerLink.allocator()),
                        session.timeout(),
                        response -> TableMessage.read(new ControlReader(response)))
                .thenApply(TableRequests::found);
    }

    private static Found found(List<TableMessage> tables) {
        TableSpec spec = tables.get(0).spec();
        UpdateInput input = tables.get(0).input();
        int[] ids = new int[tables.size()];
        for (int server = 0; server < ids.length; server++) {
            if (!tables.get(server).spec().equals(spec)) {
                throw new PsException(
                        ErrorCode.CONFLICTING_DEFINITION,
                        "table '"
                                + spec.name()
                                + "' is "
                                + spec
                                + " at one server and "
                                + tables.get(server).spec()
                                + " at another");
            }
            if (tables.get(server).input() != input) {
                throw new PsException(
                        ErrorCode.CONFLICTING_DEFINITION,
                        "update function '"
                                + spec.update().name()
                                + "' takes "
                                + input
                                + " of a push at one server and "
                                + tables.get(server).input()
                                + " at another: give all the same class path");
            }
            ids[server] = tables.get(server).id();
        }
        return new Found(spec, input, ids);
    }

    CompletableFuture<Void> drop(SessionSpec session, String table) {
        return askAll(
                        server ->
                                new ModelMessages.DropTable(session.model(), table, session.fence())
                                        .encode(ServerLink.allocator()),
                        session.timeout(),
                        response -> true)
                .thenApply(done -> null);
    }

    CompletableFuture<List<String>> list(SessionSpec session) {
        return ask(
                controls[0],
                new ModelMessages.ListTables(session.model()).encode(ServerLink.allocator()),
                session.timeout(),
                response -> ModelMessages.TableNames.decode(response).names());
    }

    CompletableFuture<Void> dropModel(String model, long fence, Duration timeout) {
        return dropModelUnless(model, fence, "", timeout).thenApply(done -> null);
    }

    /**
     * Asks each server as soon as it is reached, whatever becomes of the others.
     *
     * @param run whose model stays, unless it lacks a round; empty: none
     * @return by server, whether it stays
     */
    CompletableFuture<List<Boolean>> dropModelUnless(
            String model, long fence, String run, Duration timeout) {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (ServerLink control : controls) {
            all.add(
                    control.connect()
                            .thenCompose(
                                    hello ->
                                            ask(
                                                    control,
                                                    new ModelMessages.DropModel(model, fence, run)
                                                            .encode(ServerLink.allocator()),
                                                    timeout,
                                                    response ->
                                                            ModelMessages.ModelDropped.decode(
                                                                            response)
                                                                    .stays())));
        }
        return join(all);
    }

    /** Lists the models that are at all servers. */
    CompletableFuture<List<String>> models(Duration timeout) {
        List<CompletableFuture<Set<String>>> all = new ArrayList<>();
        for (ServerLink control : controls) {
            all.add(models(control, "", new TreeSet<>(), timeout));
        }
        return join(all)
                .thenApply(
                        found -> {
                            Set<String> everywhere = new TreeSet<>(found.get(0));
                            found.forEach(everywhere::retainAll);
                            return List.copyOf(everywhere);
                        });
    }

    /** Adds the names of a server's models behind one of them. */
    private CompletableFuture<Set<String>> models(
            ServerLink control, String after, Set<String> found, Duration timeout) {
        return ask(
                        control,
                        new ModelMessages.ListModels(after).encode(ServerLink.allocator()),
                        timeout,
                        ModelMessages.ModelNames::decode)
                .thenCompose(
                        page -> {
                            boolean more = found.addAll(page.names()) && page.more();
                            return more
                                    ? models(control, page.last(), found, timeout)
                                    : CompletableFuture.completedFuture(found);
                        });
    }

    CompletableFuture<List<ServerStats>> stats(Duration timeout) {
        List<CompletableFuture<ServerStats>> all = new ArrayList<>();
        for (ServerLink control : controls) {
            all.add(
                    ask(
                            control,
                            new ControlWriter(ServerLink.allocator()).request(ApiKey.STATS),
                            timeout,
                            response -> stats(control.address(), response)));
        }
        return join(all);
    }

    private static ServerStats stats(String address, ByteBuf response) {
        AdminMessages.Stats stats = AdminCodec.decode(response, AdminMessages.Stats.class);
        return new ServerStats(
                address,
                stats.uptimeMillis(),
                stats.models(),
                stats.tables(),
                stats.rows(),
                stats.bytes(),
                stats.requests(),
                stats.owners());
    }

    /** Returns the values of all who met, those of sessions that are no worker's first. */
    CompletableFuture<List<double[]>> barrier(AdminMessages.Barrier arrival, Duration timeout) {
        return ask(
                controls[0],
                admin(ApiKey.BARRIER, arrival),
                timeout,
                response -> BarrierValues.decode(response).all());
    }

    /** Returns an administration request. */
    static ByteBuf admin(ApiKey api, Record message) {
        return AdminCodec.request(ServerLink.allocator(), api, message);
    }

    /** Asks every owner thread, and merges what they found in the order of partitions. */
    CompletableFuture<AggregateResult> aggregate(
            ServerLink[] links, List<Target> targets, String function, List<String> arguments) {
        AggregateMerger merger = AggregateMergers.find(function);
        List<CompletableFuture<List<?>>> all = new ArrayList<>();
        for (int link = 0; link < links.length; link++) {
            Target target = targets.get(link);
            AdminMessages.Aggregate request =
                    new AdminMessages.Aggregate(
                            target.session(), target.table(), function, new ArrayList<>(arguments));
            all.add(
                    ask(
                            links[link],
                            admin(ApiKey.AGGREGATE, request),
                            target.timeout(),
                            response -> AdminCodec.decode(response, ArrayList.class)));
        }
        return join(all).thenApply(answers -> merge(merger, answers, arguments));
    }

    private static AggregateResult merge(
            AggregateMerger merger, List<List<?>> answers, List<String> arguments) {
        List<PartialAggregate> partials =
                answers.stream()
                        .flatMap(List::stream)
                        .map(AdminMessages.Partial.class::cast)
                        .sorted(Comparator.comparingInt(AdminMessages.Partial::partition))
                        .map(partial -> new PartialAggregate(partial.keys(), partial.values()))
                        .toList();
        PartialAggregate result = AggregateMergers.mergeAll(merger, partials, arguments);
        return new AggregateResult(result.keys(), result.values());
    }

    CompletableFuture<RowChunk> scan(
            ServerLink link,
            Target target,
            int width,
            int partition,
            long cursor,
            boolean withSlots) {
        ByteBuf frame =
                new ScanMessage(target.session(), target.table(), partition, cursor, withSlots)
                        .encode(ServerLink.allocator());
        return ask(
                link,
                frame,
                target.timeout(),
                response -> {
                    RowsMessage rows = RowsMessage.decode(response, width);
                    return new RowChunk(
                            partition,
                            rows.keys(),
                            rows.values(),
                            rows.slots(),
                            rows.steps(),
                            rows.cursor());
                });
    }

    CompletableFuture<Void> load(ServerLink link, Target target, int width, RowChunk rows) {
        RowsMessage message =
                new RowsMessage(
                        target.session(),
                        target.table(),
                        rows.partition(),
                        RowChunk.END,
                        rows.steps(),
                        width,
                        rows.keys(),
                        rows.values(),
                        rows.slots());
        ByteBuf frame = message.encodeRequest(ServerLink.allocator());
        return ask(link, frame, target.timeout(), response -> null);
    }
}
