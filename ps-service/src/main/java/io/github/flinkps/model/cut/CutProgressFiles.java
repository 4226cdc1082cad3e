package io.github.flinkps.model.cut;

import static io.github.flinkps.model.JsonFields.integer;
import static io.github.flinkps.model.JsonFields.whole;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.JsonFields;
import io.github.flinkps.model.ModelFailures;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.StorageFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of each worker in the directory of a cut, beside the manifest: that depends on nothing but
 * what servers have reported. A cut is whole without them.
 */
final class CutProgressFiles {
    private static final Logger LOG = LoggerFactory.getLogger(CutProgressFiles.class);
    private static final String FORMAT = "flink-ps-cut-progress";
    private static final int FORMAT_VERSION = 1;
    private static final String PREFIX = "progress-";

    private CutProgressFiles() {}

    static void write(ModelStorage storage, String directory, CutProgress progress)
            throws IOException {
        ObjectNode root =
                JsonFields.begin(FORMAT, FORMAT_VERSION)
                        .put("worker", progress.worker())
                        .put("workers", progress.workers())
                        .put("trainedRows", progress.trainedRows())
                        .put("lossSum", progress.lossSum())
                        .put("weightSum", progress.weightSum());
        try (ModelStorage.Output file = storage.create(directory + "/" + name(progress.worker()))) {
            file.write(ByteBuffer.wrap(JsonFields.seal(root)));
            file.sync();
        }
    }

    private static String name(int worker) {
        return String.format(Locale.ROOT, "%s%05d.json", PREFIX, worker);
    }

    /**
     * Returns the facts of all workers together, or none unless each has left a readable file. Logs
     * a warning of a file that cannot be read. A file under the name of another worker does not
     * count.
     */
    static Map<String, String> facts(ModelStorage storage, String directory) {
        try {
            List<CutProgress> all = new ArrayList<>();
            for (String name : storage.list(directory)) {
                if (name.startsWith(PREFIX)) {
                    CutProgress progress = read(storage, directory + "/" + name);
                    if (name.equals(name(progress.worker()))) {
                        all.add(progress);
                    }
                }
            }
            boolean whole = !all.isEmpty() && all.size() == all.get(0).workers();
            return whole ? CutProgress.sum(all).facts() : Map.of();
        } catch (NoSuchFileException e) {
            return Map.of(); // the cut is removed meanwhile
        } catch (IOException | IllegalArgumentException | PsException e) {
            LOG.warn("What was trained at {} is not known: {}", directory, e.getMessage());
            return Map.of();
        }
    }

    private static CutProgress read(ModelStorage storage, String path) throws IOException {
        try {
            return parse(StorageFiles.readManifest(storage, path));
        } catch (IllegalArgumentException e) {
            throw ModelFailures.corrupt(path, e);
        }
    }

    private static CutProgress parse(byte[] json) {
        ObjectNode root = JsonFields.open(json, FORMAT, "progress", FORMAT_VERSION);
        return new CutProgress(
                integer(root, "worker"),
                integer(root, "workers"),
                whole(root, "trainedRows"),
                JsonFields.field(root, "lossSum").asDouble(),
                JsonFields.field(root, "weightSum").asDouble());
    }
}
