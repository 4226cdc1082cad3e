package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.server.aggregate.AggregateFunction;
import io.github.flinkps.server.aggregate.PartitionRows;
import io.github.flinkps.server.aggregate.TableRows;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.transport.Connection;
import java.util.ArrayList;

/**
 * An aggregate over an owner's partitions of a table, one after the other, each in pieces. Runs on
 * the owner's loop, in turns of {@link AggregateQueue}.
 */
final class AggregateScan {
    /** Bytes of a partial result in the answer beside its keys and values, at most. */
    private static final int PARTIAL_BYTES = 32;

    /** Bytes of an argument beside its characters, about: three objects, and where it stands. */
    private static final int ARGUMENT_BYTES = 64;

    private final OwnerModel model;
    private final Runnable admission;
    private final AdminMessages.Aggregate request;
    private final int maxFrameBytes;
    private final Connection connection;
    private final long correlation;
    private final AggregateFunction function;
    private final long bytes;
    private final ArrayList<AdminMessages.Partial> partials = new ArrayList<>();
    private OwnerTable table;
    private long answerBytes;
    private int next;

    /** The partition begun last, the one before {@link #next}. */
    private Partition partition;

    /** The aggregate under way in it; null between two. */
    private AggregateFunction.Accumulator accumulator;

    private int generation;
    private long cursor;

    /**
     * Makes a scan that begins with {@link #goOn}.
     *
     * @param function that the request names
     * @param admission run before each piece; throws if the model may not be read any more
     * @param maxFrameBytes of the answer
     */
    AggregateScan(
            OwnerModel model,
            AggregateFunction function,
            Runnable admission,
            AdminMessages.Aggregate request,
            int maxFrameBytes,
            Connection connection,
            long correlation) {
        this.model = model;
        this.admission = admission;
        this.request = request;
        this.maxFrameBytes = maxFrameBytes;
        this.connection = connection;
        this.correlation = correlation;
        this.function = function;
        this.table = model.table(request.table());
        this.bytes =
                request.arguments().stream()
                        .mapToLong(text -> ARGUMENT_BYTES + 2L * text.length())
                        .sum();
    }

    /** Returns about the bytes that the request takes. */
    long bytes() {
        return bytes;
    }

    boolean isOf(Connection other) {
        return connection == other;
    }

    /** Scans a piece more, and answers at the end; returns whether there is more to do. */
    boolean goOn(ScanBlock block) {
        try {
            admission.run();
            OwnerTable current = model.table(request.table());
            if (current != table || (partition != null && partition.generation() != generation)) {
                beginAnew(current);
            }
            if (accumulator == null) {
                if (next == table.owned().length) {
                    answer();
                    return false;
                }
                begin(table.owned()[next++]);
            }
            if (!function.readsRows() || readPiece(block)) {
                add(accumulator.result());
                accumulator = null;
            }
            return true;
        } catch (RuntimeException | Error e) {
            PsException known = KnownError.of(e);
            ErrorAnswer.send(
                    connection,
                    ApiKey.AGGREGATE.id(),
                    correlation,
                    known.code(),
                    "aggregate " + request.function() + ": " + known.getMessage());
            return false;
        }
    }

    /** Forgets what was found before the model was rolled back, or the table made anew. */
    private void beginAnew(OwnerTable current) {
        table = current;
        next = 0;
        partials.clear();
        answerBytes = 0;
        partition = null;
        accumulator = null;
    }

    private void begin(int index) {
        partition = table.partition(index);
        generation = partition.generation();
        cursor = 0;
        accumulator =
                function.begin(
                        new PartitionRows(partition),
                        request.arguments(),
                        other -> rows(other, index));
    }

    /** Adds the next rows; returns whether there were none any more. */
    private boolean readPiece(ScanBlock block) {
        int rows = block.read(partition, cursor);
        if (rows > 0) {
            accumulator.add(block.keys(), block.values(), rows);
            cursor += rows;
        }
        return rows == 0;
    }

    private void add(PartialAggregate partial) {
        answerBytes += PARTIAL_BYTES + 8L * partial.keys().length + 8L * partial.values().length;
        if (answerBytes > maxFrameBytes) {
            throw new PsException(
                    ErrorCode.TOO_LARGE,
                    "its answer is more than max-frame-bytes " + maxFrameBytes);
        }
        partials.add(
                new AdminMessages.Partial(partition.index(), partial.keys(), partial.values()));
    }

    private TableRows rows(String name, int index) {
        OwnerTable other = model.table(name);
        Partition partition = index < other.spec().partitions() ? other.partition(index) : null;
        if (partition == null) {
            throw new IllegalArgumentException(
                    "table '" + name + "' has another number of partitions");
        }
        return new PartitionRows(partition);
    }

    private void answer() {
        AnswerRoom.check(connection, answerBytes);
        byte[] body = new AdminCodec().encode(partials);
        connection.send(
                new ControlWriter(connection.allocator())
                        .bytes(body)
                        .response(ApiKey.AGGREGATE, correlation));
    }
}
