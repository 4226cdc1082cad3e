package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.data.NumericScale;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowProblem;
import io.github.flinkps.flink.data.RowSample;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.tuning.LearningDefaults;
import io.github.flinkps.flink.tuning.TrainingSteps;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.table.data.RowData;

/** Finds the options of a model's table by its rows, as {@link LearningDefaults} does. */
final class OptionSearch {
    private final String name;
    private final ModelSpec spec;
    private final TypeSerializer<RowData> serializer;
    private final int workers;

    /**
     * @param name of the model, for messages
     * @param spec with the options that are given
     * @param serializer of the rows
     * @param workers that train if it says nothing of them
     */
    OptionSearch(String name, ModelSpec spec, TypeSerializer<RowData> serializer, int workers) {
        this.name = name;
        this.spec = spec;
        this.serializer = serializer;
        this.workers = workers;
    }

    /**
     * Returns the options that are found, none that is given. Blocks the calling thread.
     *
     * @param columns whose moments the share has, by their names
     */
    Map<String, String> find(List<String> columns, RowShare share) throws IOException, RowProblem {
        Map<String, String> found = new TreeMap<>();
        for (int i = 0; i < columns.size(); i++) {
            NumericScale scale = share.column(i).standard(true);
            found.put(
                    ModelOptions.NUMERIC_PREFIX + columns.get(i),
                    "standard(" + scale.center() + ", " + 1 / scale.factor() + ")");
        }
        Configuration job = spec.jobOptions();
        String algorithm = spec.model().name();
        Map<String, String> given = spec.modelOptions();
        if (share.rows() == 0
                || job.contains(PsOptions.PATIENCE)
                || !LearningDefaults.areFor(algorithm, given)) {
            return found;
        }
        RowSample sample = sample(found, share);
        TrainingSteps steps =
                new TrainingSteps(
                        job.getOptional(PsOptions.BATCH_SIZE).orElse(0),
                        job.getOptional(PsOptions.EPOCHS).orElse(0),
                        job.getOptional(PsOptions.WORKERS).orElse(workers),
                        job.get(PsOptions.CONSISTENCY));
        LearningDefaults.Found learned =
                LearningDefaults.find(algorithm, given, steps, sample, job.get(PsOptions.SEED));
        offer(found, job, PsOptions.EPOCHS, learned.steps().epochs());
        offer(found, job, PsOptions.BATCH_SIZE, learned.steps().batchSize());
        if (TrainingSteps.moveRows(share.rows())) {
            offer(found, job, PsOptions.SHUFFLE, Shuffle.ROWS);
        }
        learned.options()
                .forEach(
                        (option, value) -> {
                            if (!given.containsKey(option)) {
                                found.put(option, value);
                            }
                        });
        return found;
    }

    private static <T> void offer(
            Map<String, String> found, Configuration given, ConfigOption<T> option, T value) {
        if (!given.contains(option)) {
            found.put(option.key(), value.toString());
        }
    }

    /** Returns the rows that were drawn, scaled. */
    private RowSample sample(Map<String, String> scales, RowShare share)
            throws IOException, RowProblem {
        Map<String, String> options = new TreeMap<>(spec.definition().options());
        options.putAll(scales);
        ModelDefinition scaled =
                new ModelDefinition(
                        spec.definition().comment(), spec.definition().columns(), options);
        RowEncoder encoder = ModelSpec.of(name, scaled).trainingRows();
        RowBatchBuilder rows = new RowBatchBuilder();
        for (byte[] row : share.drawn()) {
            encoder.extract(serializer.deserialize(new DataInputDeserializer(row)), rows);
        }
        return new RowSample(rows.build(), share.rows());
    }
}
