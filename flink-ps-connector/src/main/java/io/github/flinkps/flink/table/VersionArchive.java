package io.github.flinkps.flink.table;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.PendingModel;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Saves a model as a new version of its own each time. What is written lies beside the versions
 * until it is published, and gets its id then. Where the storage does not rename, as in object
 * stores, it lies in the version's folder from the start, with the id of that time; the manifest,
 * which comes last, makes it a version.
 */
public final class VersionArchive implements ModelArchive {
    private static final long serialVersionUID = 1L;
    private static final int MOST_TRIES = 100;
    private static final int MOST_WAIT_MILLIS = 20;

    /** Begins the names of files by which writers tell others which version they write. */
    private static final String CLAIM = ".claim-";

    private final ArrowModelArchive files;
    private final Namer namer;

    /** Names versions. */
    public interface Namer extends Serializable {
        /**
         * Returns the directory of the next version, which is not there yet.
         *
         * @param versions the folder of the model's versions
         * @param ahead how many to leave out, which others may be writing
         */
        String next(String versions, int ahead) throws IOException;
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
        String folder = ArrowModelArchive.path(versions);
        String directory = unpublished(folder);
        files.checkWritable(tables, directory);
        ModelStorage storage = ArrowModelArchive.storage(folder);
        if (!storage.renames(folder)) {
            remove(storage, directory);
        }
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
            ModelSession session, List<TableSpec> tables, String versions, boolean withSlots)
            throws Exception {
        String folder = ArrowModelArchive.path(versions);
        ModelStorage storage = ArrowModelArchive.storage(folder);
        if (storage.renames(folder)) {
            String directory = unpublished(folder);
            return new Unpublished(
                    storage,
                    files.write(session, tables, directory, withSlots),
                    directory,
                    versions);
        }
        Claim claim = claim(storage, folder);
        boolean begun = false;
        try {
            PendingModel written = files.write(session, tables, claim.directory, withSlots);
            begun = true;
            return new Claimed(storage, written, claim.file);
        } finally {
            if (!begun) {
                remove(storage, claim.file);
            }
        }
    }

    /**
     * The claim of one process to write a version, which holds while its file is there.
     *
     * @param directory that the version is written to
     * @param file that shows other processes the claim
     */
    private record Claim(String directory, String file) {}

    /**
     * Claims a version: the next one, or a later one while others write those before. Of writers
     * that claim the same one at a time all try again.
     */
    private Claim claim(ModelStorage storage, String versions)
            throws IOException, InterruptedException {
        storage.makeDirectories(versions);
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            String directory = ArrowModelArchive.path(namer.next(versions, tries));
            String claims = CLAIM + directory.substring(directory.lastIndexOf('/') + 1) + "-";
            String file = versions + "/" + claims + UUID.randomUUID();
            boolean alone = false;
            try {
                try (ModelStorage.Output out = storage.create(file)) {
                    out.sync();
                }
                List<String> there = storage.list(versions);
                alone =
                        there.stream().filter(name -> name.startsWith(claims)).count() == 1
                                && storage.list(directory).isEmpty();
            } finally {
                if (!alone) {
                    remove(storage, file);
                }
            }
            if (alone) {
                return new Claim(directory, file);
            }
            Thread.sleep(1 + ThreadLocalRandom.current().nextInt(MOST_WAIT_MILLIS));
        }
        throw new IOException("too many processes save versions to " + versions);
    }

    private static void remove(ModelStorage storage, String path) {
        try {
            storage.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path, e);
        }
    }

    /** A model in the folder of its version. */
    private record Claimed(ModelStorage storage, PendingModel written, String claim)
            implements PendingModel {
        @Override
        public void publish(Map<String, String> facts) throws Exception {
            written.publish(facts);
        }

        @Override
        public void close() {
            try {
                written.close();
            } finally {
                remove(storage, claim);
            }
        }
    }

    /** A model beside the versions. */
    private final class Unpublished implements PendingModel {
        private final ModelStorage storage;
        private final PendingModel written;
        private final String directory;
        private final String versions;

        Unpublished(ModelStorage storage, PendingModel written, String directory, String versions) {
            this.storage = storage;
            this.written = written;
            this.directory = directory;
            this.versions = versions;
        }

        @Override
        public void publish(Map<String, String> facts) throws Exception {
            written.publish(facts);
            for (int left = MOST_TRIES; ; left--) {
                String path = ArrowModelArchive.path(namer.next(versions, 0));
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

        /** Removes what was not published; a published model is there under another name. */
        @Override
        public void close() {
            try {
                written.close();
            } finally {
                remove(storage, directory);
            }
        }
    }
}
