package io.github.flinkps.flink.table.connector;

import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.TrainingTable;
import java.time.Instant;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsOverwrite;
import org.apache.flink.table.connector.sink.abilities.SupportsTruncate;
import org.apache.flink.types.RowKind;

/** Rows that are written to a model's table train it. */
final class ModelTableSink implements DynamicTableSink, SupportsOverwrite, SupportsTruncate {
    private final TrainingTable table;
    private boolean overwrite;

    ModelTableSink(TrainingTable table) {
        this.table = table;
    }

    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requested) {
        if (!requested.containsOnly(RowKind.INSERT)) {
            throw new ValidationException(
                    "rows can only be inserted into table "
                            + table.name()
                            + ", a model: what it has learned of a row cannot be taken back; the"
                            + " query also yields "
                            + requested
                            + " (an aggregation over windows of time, for one, only inserts)");
        }
        return ChangelogMode.insertOnly();
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
        return new TrainingProvider(table, overwrite);
    }

    /** Sets whether the model is trained from scratch, and published when the input has ended. */
    @Override
    public void applyOverwrite(boolean overwriting) {
        this.overwrite = overwriting;
    }

    /** Lets the next INSERT begin from scratch; until it has ended the newest version stays. */
    @Override
    public void executeTruncation() {
        ModelPath path = table.path();
        path.models().reset(path.database(), path.model(), Instant.now());
    }

    @Override
    public DynamicTableSink copy() {
        ModelTableSink copy = new ModelTableSink(table);
        copy.overwrite = overwrite;
        return copy;
    }

    @Override
    public String asSummaryString() {
        return "model " + table.path().nameOnServers();
    }
}
