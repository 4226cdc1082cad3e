package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.data.RowSample;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.tuning.LearningDefaults;
import io.github.flinkps.flink.tuning.TrainingSteps;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.memory.DataInputDeserializer;

/**
 * Finds the options of a model by what is known of its rows, as {@link LearningDefaults} does.
 *
 * @param tuning what is given
 * @param reader of the records
 * @param serializer of the records
 * @param workers that train if nothing is said of them
 */
record OptionSearch<T>(
        RowTuning tuning, RowReader<T> reader, TypeSerializer<T> serializer, int workers)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Returns the options that are found, none that is given. Blocks the calling thread. */
    Map<String, String> find(RowShare share) throws Exception {
        ModelSpec spec = tuning.spec();
        List<String> columns = tuning.columns();
        Map<String, String> found = new TreeMap<>();
        for (int i = 0; i < columns.size(); i++) {
            found.put(ModelOptions.NUMERIC_PREFIX + columns.get(i), share.scale(i).text());
        }
        Configuration job = spec.jobOptions();
        if (share.rows() == 0 || job.contains(PsOptions.PATIENCE) || !tuning.learns()) {
            return found;
        }
        TrainingSteps steps =
                new TrainingSteps(
                        job.getOptional(PsOptions.BATCH_SIZE).orElse(0),
                        job.getOptional(PsOptions.EPOCHS).orElse(0),
                        job.getOptional(PsOptions.WORKERS).orElse(workers),
                        job.get(PsOptions.CONSISTENCY));
        Map<String, String> given = spec.modelOptions();
        LearningDefaults.Found learned =
                LearningDefaults.find(
                        spec.model().name(),
                        given,
                        steps,
                        sample(found, share),
                        job.get(PsOptions.SEED));
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

    private static <V> void offer(
            Map<String, String> found, Configuration given, ConfigOption<V> option, V value) {
        if (!given.contains(option)) {
            found.put(option.key(), value.toString());
        }
    }

    /** Returns the rows that were drawn, scaled. */
    private RowSample sample(Map<String, String> scales, RowShare share) throws Exception {
        ModelDefinition given = tuning.given();
        Map<String, String> options = new TreeMap<>(given.options());
        options.putAll(scales);
        ModelDefinition scaled = new ModelDefinition(given.comment(), given.columns(), options);
        RowExtractor<T> extractor = reader.extractor(ModelSpec.of(tuning.name(), scaled));
        RowBatchBuilder rows = new RowBatchBuilder();
        for (byte[] row : share.drawn()) {
            extractor.extract(serializer.deserialize(new DataInputDeserializer(row)), rows);
        }
        return new RowSample(rows.build(), share.rows());
    }
}
