package io.github.flinkps.flink.table.function;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowProblem;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.options.EmbeddedServers;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.ServiceSpec;
import io.github.flinkps.flink.service.SharedModel;
import io.github.flinkps.flink.table.RowEncoder;
import io.github.flinkps.flink.table.TrainingTable;
import io.github.flinkps.flink.training.worker.StepTrainer;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;

/** The model that the rows of {@link PsTrain} train, connected. For one thread. */
final class TrainTarget implements AutoCloseable {
    private final TrainingModel model;
    private final RowEncoder encoder;
    private final OnBadRow onBadRow;
    private final int batchSize;
    private final SharedModel.User user;
    private final StepTrainer trainer;

    private TrainTarget(
            TrainingTable table,
            List<LogicalType> columns,
            SharedModel.User user,
            StepTrainer trainer) {
        this.model = table.spec().model();
        this.encoder = table.spec().trainingRows(columns);
        this.onBadRow = table.spec().onBadRow();
        this.batchSize = table.jobOptions().get(PsOptions.BATCH_SIZE);
        this.user = user;
        this.trainer = trainer;
    }

    /**
     * Connects to servers that have the model, or makes one of it here.
     *
     * @param columns types of those of the table
     * @param job identity of the job
     */
    static TrainTarget begin(TrainingTable table, List<LogicalType> columns, String job)
            throws Exception {
        Configuration options = table.jobOptions();
        SharedModel.User user =
                SharedModel.join(
                        service(table, options),
                        job,
                        new LocalServerBackend(
                                EmbeddedServers.given(options),
                                RemoteSecurity.of(options),
                                options.get(PsOptions.PEER_TIMEOUT)),
                        table.archive());
        TrainTarget begun = null;
        try {
            StepTrainer trainer =
                    new StepTrainer(
                            user.session(),
                            table.spec().model(),
                            options.get(PsOptions.TIMEOUT),
                            options.get(PsOptions.SEED));
            begun = new TrainTarget(table, columns, user, trainer);
            return begun;
        } finally {
            if (begun == null) {
                user.close();
            }
        }
    }

    private static ServiceSpec service(TrainingTable table, Configuration options) {
        List<String> remote = RemoteServers.addresses(options);
        return new ServiceSpec(
                table.path().nameOnServers(),
                ServiceSpec.Servers.of(table.path().directory(), remote, 1),
                1,
                ConsistencySpec.asp(),
                table.spec().model().tables(),
                new ServiceSpec.Start(table.start().orElse(null), null),
                new ServiceSpec.Saving(
                        table.versions(),
                        options.get(PsOptions.SAVE_INTERVAL),
                        options.get(PsOptions.SAVE_SLOTS)),
                null,
                ServiceSpec.Lifetime.ATTEMPT,
                options.get(PsOptions.TIMEOUT));
    }

    /** Returns the number of rows of a mini-batch. */
    int batchSize() {
        return batchSize;
    }

    /** Adds a row, or leaves a bad one out if the model's options say so. */
    void extract(RowData row, RowBatchBuilder open) {
        try {
            encoder.extract(row, open);
        } catch (RowProblem e) {
            if (onBadRow == OnBadRow.FAIL) {
                throw new IllegalArgumentException(PsTrain.NAME + ": " + e.getMessage(), e);
            }
            open.abandonRow();
        }
    }

    /** Scores the rows that wait, then trains them in one step. */
    void train(TrainAccumulator kept) throws Exception {
        RowBatch rows = kept.open().build();
        if (rows.rows() == 0) {
            return;
        }
        StepTrainer.Step step = trainer.train(rows);
        user.trained();
        kept.rows += rows.rows();
        kept.loss.add(rows.rows(), step.loss(), step.weight());
        measure(rows, step, kept);
    }

    private void measure(RowBatch rows, StepTrainer.Step step, TrainAccumulator kept)
            throws Exception {
        Evaluation evaluation = model.evaluation();
        boolean binary = model.labels().kind() == Labels.Kind.BINARY;
        AucAccumulator auc = kept.auc();
        int width = model.scoresPerRow();
        for (int i = 0; i < rows.rows(); i++) {
            float label = rows.labels()[i];
            float weight = rows.weights() == null ? 1f : rows.weights()[i];
            evaluation.add(step.scores(), i * width, label, weight);
            if (binary) {
                auc.add(step.scores()[i], label == 1, weight, 1);
            }
        }
        Double logloss = evaluation.results().get("logloss");
        if (logloss != null && step.weight() > 0) {
            kept.logloss.add(rows.rows(), logloss * step.weight(), step.weight());
        }
    }

    void saveIfDue() throws Exception {
        user.saveIfDue();
    }

    @Override
    public void close() throws Exception {
        user.close();
    }
}
