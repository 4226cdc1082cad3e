package io.github.flinkps.flink.ml;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.LabelNames;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowProblem;
import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.serving.ModelLocator;
import io.github.flinkps.flink.serving.ModelPredictor;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.serving.ServingException;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.PredictedLabel;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.transport.ConnectionLimits;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.types.Row;

/**
 * A version of a model in memory, and what it says of rows. One thread at a time, which waits until
 * it is loaded when the first row is predicted.
 */
final class VersionPredictor implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofDays(10_000);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int CACHED_ROWS = 100_000;

    private final TrainingModel model;
    private final TableRowExtractor rows;
    private final ModelPredictor predictor;
    private final PredictedLabel decision;
    private final List<Object> labels;
    private final RowBatchBuilder batch = new RowBatchBuilder();

    /**
     * Says which columns a prediction has.
     *
     * @param raw whether a score for every class is wanted
     * @param texts whether labels are texts
     */
    record Columns(boolean raw, boolean texts) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Locates a version that does not change. */
    private record FixedVersion(ModelData data) implements ModelLocator {
        private static final long serialVersionUID = 1L;

        @Override
        public List<ServiceAddress> live() {
            return List.of();
        }

        @Override
        public Optional<Version> version() {
            return Optional.of(new Version(Long.toString(data.version()), data.path()));
        }
    }

    /**
     * A version as its files say.
     *
     * @param algorithm that must have trained it
     * @param features columns of the rows to come
     * @param columns what is wanted
     * @throws IOException if the files are not those of the model data
     * @throws org.apache.flink.table.api.ValidationException if it was trained on other features
     */
    VersionPredictor(String algorithm, ModelData data, List<ColumnReader> features, Columns columns)
            throws IOException {
        data.check();
        ModelHeader header =
                ModelReader.readManifest(ModelData.storage(data.path()), data.path()).header();
        if (!header.algorithm().equals(algorithm)) {
            throw new IOException(
                    "the model in "
                            + data.path()
                            + " was trained by the algorithm "
                            + header.algorithm()
                            + ": a Model of "
                            + algorithm
                            + " cannot predict by it");
        }
        if (columns.raw() && header.parameters().getOrDefault("task", "").equals("regression")) {
            throw new IOException(
                    "the model in "
                            + data.path()
                            + " was trained with task regression: set task of its Model too");
        }
        this.model = TrainingModels.create(header.algorithm(), header.parameters());
        ModelSpec spec = spec(header);
        this.decision = new PredictedLabel(model);
        this.labels = labels(spec, data.path(), columns.texts());
        this.rows = new TableRowExtractor(features, spec.featureRows(types(features)));
        String name = header.model();
        this.predictor =
                new ModelPredictor(
                        model,
                        new PredictorSpec(
                                name,
                                name,
                                new FixedVersion(data),
                                List.of(),
                                ClientSecurity.NONE,
                                ConnectionLimits.PEER_TIMEOUT,
                                FOREVER,
                                CACHED_ROWS,
                                TIMEOUT),
                        System::nanoTime);
    }

    /** Returns what a saved model was trained on. */
    static ModelSpec spec(ModelHeader header) {
        TableRecipe recipe = (TableRecipe) RowRecipe.fromJson(header.input());
        return ModelSpec.of(header.model(), ModelDefinition.of(recipe));
    }

    /** Returns the types of columns. */
    static List<LogicalType> types(List<ColumnReader> columns) {
        return columns.stream().map(ColumnReader::logicalType).toList();
    }

    /**
     * Returns what is added to each of the rows: the prediction, and the raw one if it is wanted.
     */
    List<Object[]> of(List<Row> records) throws RowProblem, ServingException {
        batch.clear();
        for (Row record : records) {
            rows.extract(record, batch);
        }
        float[] scores = predictor.score(batch.build());
        int each = model.scoresPerRow();
        List<Object[]> results = new ArrayList<>(records.size());
        for (int i = 0; i < records.size(); i++) {
            results.add(of(Arrays.copyOfRange(scores, i * each, (i + 1) * each)));
        }
        return results;
    }

    /** Returns what is predicted for each label, where there are labels to choose from. */
    private static List<Object> labels(ModelSpec spec, String path, boolean texts)
            throws IOException {
        List<String> names = PredictedLabel.names(spec);
        boolean named = spec.hasTextLabels() && !names.stream().allMatch(LabelNames::isNumber);
        if (named && !texts) {
            throw new IOException(
                    "the model in "
                            + path
                            + " was trained on labels that are texts: set labelValues of its"
                            + " Model too");
        }
        if (texts && !spec.hasTextLabels()) {
            throw new IOException(
                    "the model in "
                            + path
                            + " was trained on labels that are numbers: labelValues of its Model"
                            + " must not be texts");
        }
        List<Object> labels = new ArrayList<>();
        for (String name : names) {
            labels.add(texts ? name : number(spec, name));
        }
        return labels;
    }

    /** Returns a label as what a value of the column of labels is when cast to DOUBLE. */
    private static double number(ModelSpec spec, String name) {
        boolean single = spec.type(spec.label()).is(LogicalTypeRoot.FLOAT);
        return single ? Float.parseFloat(name) : Double.parseDouble(name);
    }

    private Object[] of(float[] scores) {
        if (labels.isEmpty()) {
            return new Object[] {(double) scores[0]};
        }
        double[] own = new double[scores.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = scores[i];
        }
        return new Object[] {labels.get(decision.of(own)), new DenseVector(decision.all(own))};
    }

    @Override
    public void close() {
        predictor.close();
    }
}
