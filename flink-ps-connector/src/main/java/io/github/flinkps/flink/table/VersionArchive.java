package io.github.flinkps.flink.table;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.PendingModel;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;

/**
 * Saves a model as a new version of its own each time: what is written lies beside the versions
 * until it is published, and gets its id only then. On file systems of the machines.
 */
public final class VersionArchive implements ModelArchive {
    private static final long serialVersionUID = 1L;
    private static final int MOST_TRIES = 100;

    private final ArrowModelArchive files;
    private final Namer namer;

    /** Names versions. */
    public interface Namer extends Serializable {
        /**
         * Returns the directory of the next version, which is not there yet.
         *
         * @param versions the folder of the model's versions
         */
        String next(String versions) throws IOException;
    }

    /**
     * @param files that reads and writes models
     */
    public VersionArchive(ArrowModelArchive files, Namer namer) {
        this.files = files;
        this.namer = namer;
    }

    @Override
    public ModelArchive servedBy(List<String> servers, String attempt) {
        return new VersionArchive(files.servedBy(servers, attempt), namer);
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
        return new Pending(files.write(session, tables, directory, withSlots), directory, versions);
    }

    private final class Pending implements PendingModel {
        private final ModelStorage storage = new LocalModelStorage();
        private final PendingModel written;
        private final String directory;

        private final String versions;

        Pending(PendingModel written, String directory, String versions) {
            this.versions = versions;
            this.written = written;
            this.directory = ArrowModelArchive.path(directory);
        }

        @Override
        public void publish() throws Exception {
            written.publish();
            for (int left = MOST_TRIES; ; left--) {
                String path = ArrowModelArchive.path(namer.next(versions));
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
