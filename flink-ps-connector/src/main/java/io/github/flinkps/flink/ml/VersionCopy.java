package io.github.flinkps.flink.ml;

import io.github.flinkps.common.PsException;
import io.github.flinkps.model.ModelCopy;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import java.io.IOException;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies versions into a folder, each as a whole, but none that makes way for a newer one. One
 * task.
 */
final class VersionCopy implements FlatMapFunction<Row, Long> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(VersionCopy.class);

    private final String folder;

    VersionCopy(String folder) {
        this.folder = folder;
    }

    /** Emits the number of the version when it is there. */
    @Override
    public void flatMap(Row row, Collector<Long> out) throws IOException {
        ModelData data = ModelData.of(row);
        try {
            copy(data);
        } catch (IOException | PsException e) {
            if (data.superseded()) {
                LOG.info("Version {} is not copied: there is a newer one", data.path(), e);
                return;
            }
            throw e;
        }
        out.collect(data.version());
    }

    private void copy(ModelData data) throws IOException {
        data.check();
        String to = folder + "/" + data.version();
        try (BufferAllocator memory = new RootAllocator();
                ModelReader model =
                        ModelReader.open(ModelData.storage(data.path()), data.path(), memory)) {
            ModelManifest unused =
                    ModelCopy.copy(model, ModelData.storage(to), to, Map.of(), memory);
        }
    }
}
