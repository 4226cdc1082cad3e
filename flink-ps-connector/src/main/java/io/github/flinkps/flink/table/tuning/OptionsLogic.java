package io.github.flinkps.flink.table.tuning;

<<<<<<< HEAD
import io.github.flinkps.flink.internal.compat.OperatorContext;
=======
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
>>>>>>> f114b5d7 (Name a model by one path, the traits of a job by types)
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges the shares of all tasks, and at their end finds the options and emits them. A task that
 * runs once more finds the same.
 *
 * @param <T> the records that the shares are of
 */
final class OptionsLogic<T> extends ShareLogic<byte[], Map<String, String>> {
    private static final Logger LOG = LoggerFactory.getLogger(OptionsLogic.class);
    private static final long serialVersionUID = 1L;

    private final OptionSearch<T> search;
    private transient OperatorContext<Map<String, String>> context;

    OptionsLogic(OptionSearch<T> search) {
        super(search.tuning().columns().size(), RowTuning.MOST_ROWS);
        this.search = search;
    }

    @Override
    public void open(OperatorContext<Map<String, String>> operatorContext) {
        context = operatorContext;
    }

    @Override
    public void element(byte[] other) {
        share().merge(other);
    }

    @Override
    public void finish() throws Exception {
<<<<<<< HEAD
        Map<String, String> found = search.find(share());
        LOG.info(
                "Of {} rows, {} has the options {}", share().rows(), search.tuning().name(), found);
        context.emit(found);
=======
        ModelSpec spec = ModelSpec.of(tuning.name(), tuning.given());
        Map<String, String> found =
                new OptionSearch(tuning.name(), spec, serializer, workers)
                        .find(tuning.columns(), share());
        ModelPath path = tuning.path();
        ModelDefinition declared = OptionTuning.declared(path);
        ModelDefinition tuned = OptionTuning.tuned(OptionTuning.untuned(declared), found);
        ModelSpec.of(tuning.name(), tuned); // checks that it is a definition still
        path.models().putDefinition(path.database(), path.model(), tuned);
        LOG.info("Of {} rows, model {} has the options {}", share().rows(), tuning.name(), found);
>>>>>>> f114b5d7 (Name a model by one path, the traits of a job by types)
    }
}
