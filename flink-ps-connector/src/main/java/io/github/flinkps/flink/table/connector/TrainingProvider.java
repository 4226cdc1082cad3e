package io.github.flinkps.flink.table.connector;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.TrainingTable;
import io.github.flinkps.flink.table.tuning.OptionTuning;
import io.github.flinkps.flink.training.WorkerReport;
import java.io.UncheckedIOException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.sink.DataStreamSinkProvider;
import org.apache.flink.table.data.RowData;

/**
 * Adds training, or the search for options, to the job of an INSERT, or of its EXPLAIN: nothing is
 * changed here.
 */
final class TrainingProvider implements DataStreamSinkProvider {
    private final TrainingTable table;
    private final boolean overwrite;

    TrainingProvider(TrainingTable table, boolean overwrite) {
        this.table = table;
        this.overwrite = overwrite;
    }

    @Override
    public DataStreamSink<?> consumeDataStream(ProviderContext context, DataStream<RowData> rows) {
        try {
            if (table.spec().tunes()) {
                return OptionTuning.of(table)
                        .add(rows, part -> uid(context, part))
                        .sinkTo(new DiscardingSink<>())
                        .name("tuned " + table.path().nameOnServers())
                        .uid(uid(context, "tuned"));
            }
            DataStream<WorkerReport> reports = train(context, rows);
            // By its name: folders may be written in several ways, and operators are called by it.
            if (!StreamGraphs.mark(reports, table.path().nameOnServers())) {
                throw new IllegalArgumentException(
                        "another INSERT of this job trains the same model, or one of the same name;"
                                + " write both queries as one with UNION ALL, or run one job after"
                                + " the other");
            }
            return reports.sinkTo(new DiscardingSink<>())
                    .name("trained " + table.path().nameOnServers())
                    .uid(uid(context, "trained"));
        } catch (IllegalArgumentException | PsException | UncheckedIOException e) {
            throw ModelSpec.refused("INSERT INTO " + table.name() + ": " + e.getMessage(), e);
        }
    }

    private String uid(ProviderContext context, String part) {
        return context.generateUid(part)
                .orElse("flink-ps-" + part + "-" + table.path().nameOnServers());
    }

    private DataStream<WorkerReport> train(ProviderContext context, DataStream<RowData> rows) {
        ModelSpec spec = table.spec();
        TrainingModel model = spec.model();
        Configuration options = options(rows);
        TrainingJob<RowData> job =
                FlinkPs.train(rows, spec.trainingRows(), model)
                        .setAll(options)
                        .onBadRow(spec.onBadRow())
                        .recipe(spec.recipe())
                        .archive(table.archive())
                        .uids(context::generateUid);
        if (isBesideAnotherVersion(options)) {
            job.hiddenUntilSaved();
        }
        return job.start().reports();
    }

    private Configuration options(DataStream<RowData> rows) {
        Configuration options = table.jobOptions();
        if (StreamGraphs.isBatch(rows)) {
            options.removeConfig(PsOptions.SAVE_INTERVAL);
        }
        if (!overwrite) {
            if (!options.contains(PsOptions.START_CUT)) {
                table.start()
                        .ifPresent(directory -> options.set(PsOptions.INITIAL_MODEL, directory));
            }
            return options;
        }
        if (options.contains(PsOptions.START_CUT)) {
            throw new IllegalArgumentException(
                    "INSERT OVERWRITE begins from scratch: leave out start-cut");
        }
        if (!StreamGraphs.isBounded(rows)) {
            throw new IllegalArgumentException(
                    "INSERT OVERWRITE publishes the model when its input ends, which that of this"
                            + " query does not: TRUNCATE the table, and INSERT INTO it");
        }
        options.removeConfig(PsOptions.SAVE_INTERVAL);
        return options;
    }

    /** Returns whether training begins from scratch although there is a version to predict by. */
    private boolean isBesideAnotherVersion(Configuration options) {
        ModelPath path = table.path();
        return !options.contains(PsOptions.INITIAL_MODEL)
                && !options.contains(PsOptions.START_CUT)
                && path.models().newest(path.database(), path.model()).isPresent();
    }
}
