package io.github.flinkps.flink.table;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.PendingModel;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Saves a model as a new version of its own each time: what is written lies beside the versions
 * until it is published, and gets its id only then. On file systems of the machines.
 */
final class VersionArchive implements ModelArchive {
    private static final long serialVersionUID = 1L;
    private static final int MOST_TRIES = 100;

    private final ArrowModelArchive files;
    private final String root;
    private final String database;
    private final String model;

    /**
     * @param files that reads and writes models
     */
    VersionArchive(ArrowModelArchive files, String root, String database, String model) {
        this.files = files;
        this.root = root;
        this.database = database;
        this.model = model;
    }

    @Override
    public void checkWritable(List<TableSpec> tables, String versions) {
        files.checkWritable(tables, unpublished(versions));
    }

    private static String unpublished(String versions) {
        return versions + "/unpublished-" + UUID.randomUUID();
    }

    /**
     * @param directory of a version
     */
    @Override
    public void load(ModelSession session, List<TableSpec> tables, String directory)
            throws Exception {
        files.load(session, tables, directory);
    }

    /**
     * @param versions the folder of the model's versions
     */
    @Override
    public PendingModel write(
            ModelSession session, List<TableSpec> tables, String versions, boolean withSlots) {
        String directory = unpublished(versions);
        return new Pending(files.write(session, tables, directory, withSlots), directory);
    }

    private final class Pending implements PendingModel {
        private final ModelStorage storage = new LocalModelStorage();
        private final PendingModel written;
        private final String directory;

        Pending(PendingModel written, String directory) {
            this.written = written;
            this.directory = ArrowModelArchive.path(directory);
        }

        @Override
        public void publish() throws Exception {
            written.publish();
            for (int left = MOST_TRIES; ; left--) {
                String version =
                        new ModelRoot(root).next(database, model, Instant.now()).directory();
                String path = ArrowModelArchive.path(version);
                try {
                    storage.rename(directory, path);
                    storage.syncDirectory(path.substring(0, path.lastIndexOf('/')));
                    return;
                } catch (IOException e) {
                    boolean overtaken = storage.exists(path);
                    if (!overtaken || left <= 1) {
                        throw e;
                    }
                }
            }
        }

        /** What was published is there under another name. */
        @Override
        public void close() {
            try {
                written.close();
            } finally {
                remove();
            }
        }

        private void remove() {
            try {
                storage.delete(directory);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove " + directory, e);
            }
        }
    }
}
