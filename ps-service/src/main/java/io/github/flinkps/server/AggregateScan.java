package io.github.flinkps.server;

import io.github.flinkps.common.PsException;
import io.github.flinkps.common.aggregate.PartialAggregate;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.server.aggregate.AggregateFunction;
import io.github.flinkps.server.aggregate.AggregateFunctions;
import io.github.flinkps.server.aggregate.PartitionRows;
import io.github.flinkps.server.aggregate.TableRows;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.Loop;
import java.util.ArrayList;

/**
 * An aggregate over an owner's partitions of a table: one partition a turn of the loop, so that
 * other requests go between. Runs on the owner's loop.
 */
final class AggregateScan implements Runnable {
    private final Loop loop;
    private final OwnerModel model;
    private final Runnable admission;
    private final AdminMessages.Aggregate request;
    private final Connection connection;
    private final long correlation;
    private final AggregateFunction function;
    private final ArrayList<AdminMessages.Partial> partials = new ArrayList<>();
    private int next;

    /**
     * A scan that begins with {@link #run}.
     *
     * @param admission run before each partition; throws if the model may not be read any more
     * @throws IllegalArgumentException when there is no such function
     */
    AggregateScan(
            Loop loop,
            OwnerModel model,
            Runnable admission,
            AdminMessages.Aggregate request,
            Connection connection,
            long correlation) {
        this.loop = loop;
        this.model = model;
        this.admission = admission;
        this.request = request;
        this.connection = connection;
        this.correlation = correlation;
        this.function = AggregateFunctions.find(request.function());
        model.table(request.table());
    }

    @Override
    public void run() {
        try {
            admission.run();
            OwnerTable table = model.table(request.table());
            if (next == table.held().length) {
                answer();
                return;
            }
            int index = table.held()[next++];
            PartialAggregate partial =
                    function.scan(
                            new PartitionRows(table.partition(index)),
                            request.arguments(),
                            other -> rows(other, index));
            partials.add(new AdminMessages.Partial(index, partial.keys(), partial.values()));
            loop.execute(this);
        } catch (RuntimeException | Error e) {
            PsException known = KnownError.of(e);
            ErrorAnswer.send(
                    connection,
                    ApiKey.AGGREGATE.id(),
                    correlation,
                    known.code(),
                    "aggregate " + request.function() + ": " + known.getMessage());
        }
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
        byte[] body = new AdminCodec().encode(partials);
        connection.send(
                new ControlWriter(connection.allocator())
                        .bytes(body)
                        .response(ApiKey.AGGREGATE, correlation));
    }
}
