package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowProblem;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.serving.ModelPredictor;
import io.github.flinkps.flink.serving.PredictionQueue;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.serving.ServingException;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Scores rows of features for functions of SQL. Keeps buffers: one thread at a time; a copy by Java
 * serialization has its own.
 */
public final class FeatureScorer implements Serializable {
    /** The options that say where models are found, and how they are read. */
    public static final Set<ConfigOption<?>> OPTIONS =
            Set.of(
                    PsOptions.MODEL_ROOT,
                    PsOptions.REMOTE,
                    PsOptions.TLS_TRUST,
                    PsOptions.TLS_CERTIFICATE,
                    PsOptions.TLS_KEY,
                    PsOptions.TOKEN_FILE,
                    RemoteSecurity.READER_TOKEN_FILE,
                    PsOptions.TIMEOUT,
                    PsOptions.PEER_TIMEOUT,
                    PsOptions.REFRESH_INTERVAL,
                    PsOptions.CACHE_ROWS);

    private static final long serialVersionUID = 1L;

    private final TrainingModel model;
    private final RowEncoder encoder;
    private final PredictorSpec spec;
    private transient RowBatchBuilder batch;

    /**
     * @param encoder of rows that have the features
     */
    FeatureScorer(TrainingModel model, RowEncoder encoder, PredictorSpec spec) {
        this.model = model;
        this.encoder = encoder;
        this.spec = spec;
    }

    /**
     * Returns options, and where they name no files of keys, those of Flink's configuration.
     *
     * @param given texts of {@link #OPTIONS} by their keys
     */
    public static Configuration options(Map<String, String> given, ReadableConfig flink) {
        Configuration options = Configuration.fromMap(given);
        RemoteSecurity.completeReader(options, flink);
        return options;
    }

    /**
     * Looks whether there can be such options.
     *
     * @throws ValidationException naming the one that cannot
     */
    public static void check(ReadableConfig options) {
        PredictSource.of(options);
    }

    /**
     * Returns a scorer of rows that have the features of a model in any order.
     *
     * @param options those of {@link #OPTIONS}
     * @param model DATABASE.MODEL
     * @param columns names of the features, in the order of the rows
     * @param types of these
     * @throws ValidationException naming the option or column that is wrong
     */
    public static FeatureScorer of(
            ReadableConfig options, String model, List<String> columns, List<LogicalType> types) {
        PredictSource source = PredictSource.of(options);
        ModelPath name = source.name(model);
        ModelSpec spec = ModelSpec.of(name.toString(), source.definition(name));
        try {
            return new FeatureScorer(
                    spec.model(), spec.featureRows(columns, types), source.predictor(name, spec));
        } catch (ValidationException e) {
            throw ModelSpec.refused("model " + name + ": " + e.getMessage(), e);
        }
    }

    /** Returns the number of scores that a row has. */
    public int scoresPerRow() {
        return model.scoresPerRow();
    }

    /** Returns a predictor of the model as it is now. The caller closes it. */
    public ModelPredictor predictor() {
        return new ModelPredictor(model, spec, System::nanoTime);
    }

    /**
     * Returns a queue that scores rows on a thread of its own, many at a time. The caller closes
     * it.
     */
    public PredictionQueue<RowData, double[]> queue() {
        return new PredictionQueue<>(predictor(), this::scores);
    }

    /**
     * Returns the scores of a row, {@link #scoresPerRow} many.
     *
     * @throws RowProblem naming the column whose value cannot be used
     * @throws ServingException if the servers do not answer
     */
    public double[] scores(ModelPredictor predictor, RowData row)
            throws RowProblem, ServingException {
        return scores(predictor, List.of(row)).get(0);
    }

    private List<double[]> scores(ModelPredictor predictor, List<RowData> rows)
            throws RowProblem, ServingException {
        if (batch == null) {
            batch = new RowBatchBuilder();
        }
        batch.clear(); // a row before may have been refused
        for (RowData row : rows) {
            encoder.extract(row, batch);
        }
        float[] scores = predictor.score(batch.build());
        int width = scoresPerRow();
        List<double[]> all = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            double[] own = new double[width];
            for (int k = 0; k < width; k++) {
                own[k] = scores[i * width + k];
            }
            all.add(own);
        }
        return all;
    }
}
