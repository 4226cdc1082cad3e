package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.RowData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges the shares of all tasks, and at their end finds the options and writes them into the
 * definition of the model in its catalog. A task that runs once more writes the same.
 */
final class OptionsLogic extends ShareLogic<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(OptionsLogic.class);
    private static final long serialVersionUID = 1L;

    private final OptionTuning tuning;
    private final TypeSerializer<RowData> serializer;
    private final int workers;

    OptionsLogic(OptionTuning tuning, TypeSerializer<RowData> serializer, int workers) {
        super(tuning.columns().size(), OptionTuning.MOST_ROWS);
        this.tuning = tuning;
        this.serializer = serializer;
        this.workers = workers;
    }

    @Override
    public void element(byte[] other) {
        share().merge(other);
    }

    @Override
    public void finish() throws Exception {
        ModelSpec spec = ModelSpec.of(tuning.name(), tuning.given());
        Map<String, String> found =
                new OptionSearch(tuning.name(), spec, serializer, workers)
                        .find(tuning.columns(), share());
        ModelRoot root = new ModelRoot(tuning.root());
        ModelDefinition declared = OptionTuning.declared(root, tuning.database(), tuning.model());
        ModelDefinition tuned = OptionTuning.tuned(OptionTuning.untuned(declared), found);
        ModelSpec.of(tuning.name(), tuned); // checks that it is a definition still
        root.putDefinition(tuning.database(), tuning.model(), tuned);
        LOG.info("Of {} rows, model {} has the options {}", share().rows(), tuning.name(), found);
    }
}
