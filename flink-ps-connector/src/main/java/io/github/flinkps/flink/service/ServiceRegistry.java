package io.github.flinkps.flink.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry of one run of a model: a file under the model root that says where its servers are.
 * It is written under another name and renamed (in object stores: written), so that a reader sees a
 * whole entry or none. One process writes (the enumerator's); any may read. Calls block on the file
 * system.
 */
public final class ServiceRegistry {
    /** The database, a folder below the model root, of models that name none. */
    public static final String DEFAULT_DATABASE = "default";

    /**
     * Begins the name of a run whose model is its own until it is saved, such as one that trains
     * from scratch beside an older version: {@link #live} passes it over.
     */
    public static final String PRIVATE_RUN = "private-";

    private static final String FOLDER = "registry";
    private static final String SUFFIX = ".json";
    private static final Logger LOG = LoggerFactory.getLogger(ServiceRegistry.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_BYTES = 1 << 20;

    private final Path file;
    private final String run;

    /** True if the model's name was made up for this run, so that no other has its folder. */
    private final boolean ownModel;

    /**
     * @param directory of the model, below the model root
     */
    public ServiceRegistry(String directory, String run) {
        this.run = run;
        this.ownModel = directory.endsWith(run);
        this.file = new Path(new Path(directory), FOLDER + "/" + run + SUFFIX);
    }

    /**
     * Returns what servers call a model, which know nothing of databases. No two models have the
     * same: what is before the first dot is a database, whose name has none.
     */
    public static String nameOnServers(String database, String model) {
        boolean plain = database.equals(DEFAULT_DATABASE) && model.indexOf('.') < 0;
        return plain ? model : database + "." + model;
    }

    /** Returns the entry's place, for messages. */
    public String location() {
        return file.toString();
    }

    /** Replaces the entry. */
    public void publish(ServiceAddress address) throws IOException {
        ObjectNode node = JSON.createObjectNode();
        node.put("run", address.run());
        node.put("fence", address.fence());
        address.addresses().forEach(node.putArray("addresses")::add);
        node.put("expiryMillis", address.expiryMillis());
        node.put("ended", address.hasEnded());
        FileSystem files = file.getFileSystem();
        files.mkdirs(file.getParent());
        if (FlinkModelStorage.isObjectStore(files)) {
            write(files, file, FileSystem.WriteMode.OVERWRITE, node, false);
            return;
        }
        Path written = file.suffix("." + UUID.randomUUID() + ".tmp");
        try {
            write(files, written, FileSystem.WriteMode.NO_OVERWRITE, node, true);
            new FlinkModelStorage().rename(written.toString(), file.toString());
        } catch (IOException | RuntimeException e) { // file systems of plug-ins throw their own
            files.delete(written, false);
            throw new IOException("cannot write the service registry " + file, e);
        }
    }

    /**
     * @param syncs whether it must be on disk before it is renamed, so that a machine that loses
     *     power leaves no empty entry
     */
    private static void write(
            FileSystem files, Path path, FileSystem.WriteMode mode, ObjectNode entry, boolean syncs)
            throws IOException {
        try (FSDataOutputStream out = files.create(path, mode)) {
            out.write(JSON.writeValueAsBytes(entry));
            if (syncs) {
                sync(out);
            }
        }
    }

    private static void sync(FSDataOutputStream out) throws IOException {
        try {
            out.sync();
        } catch (UnsupportedOperationException closesOnly) {
            out.flush();
        }
    }

    /**
     * Returns the entry, unless there is none or its time is over.
     *
     * @throws IOException if it is damaged, or there and cannot be read
     */
    public Optional<ServiceAddress> read(long nowMillis) throws IOException {
        FileSystem files = file.getFileSystem();
        byte[] bytes;
        try {
            bytes = bytes(files, file);
        } catch (FileNotFoundException absent) { // what is forbidden is said to be absent, too
            if (!files.exists(file)) {
                return Optional.empty();
            }
            bytes = bytes(files, file); // unless it has just come
        }
        ServiceAddress address = parse(bytes);
        boolean valid = address.run().equals(run) && address.expiryMillis() >= nowMillis;
        return valid ? Optional.of(address) : Optional.empty();
    }

    private static byte[] bytes(FileSystem files, Path path) throws IOException {
        try (FSDataInputStream in = files.open(path)) {
            return in.readNBytes(MAX_BYTES);
        }
    }

    /**
     * Returns the entries of runs of a model whose servers others ask, the one renewed last first:
     * all {@link #training}, but for {@link #PRIVATE_RUN private} ones and those without servers.
     *
     * @param directory of the model, below the model root
     */
    public static List<ServiceAddress> live(String directory, long nowMillis) throws IOException {
        return training(directory, nowMillis).stream()
                .filter(entry -> entry.hasServers() && !entry.run().startsWith(PRIVATE_RUN))
                .toList();
    }

    /**
     * Returns the entries of all runs of a model whose time is not over, the one renewed last
     * first. One that is being removed or is damaged is left out.
     *
     * @param directory of the model, below the model root
     */
    public static List<ServiceAddress> training(String directory, long nowMillis)
            throws IOException {
        List<ServiceAddress> live = new ArrayList<>();
        for (String run : runs(directory)) {
            try {
                new ServiceRegistry(directory, run).read(nowMillis).ifPresent(live::add);
            } catch (IOException damaged) {
                LOG.debug("The entry of run {} of {} is passed over", run, directory, damaged);
            }
        }
        live.sort(Comparator.comparingLong(ServiceAddress::expiryMillis).reversed());
        return live;
    }

    /**
     * Returns the entries of all runs of a model, whether or not their time is over, by run.
     *
     * @param directory of the model, below the model root
     * @throws IOException also if one is damaged: a job may be behind it
     */
    public static List<ServiceAddress> all(String directory) throws IOException {
        List<ServiceAddress> all = new ArrayList<>();
        for (String run : runs(directory)) {
            new ServiceRegistry(directory, run).read(Long.MIN_VALUE).ifPresent(all::add);
        }
        return all;
    }

    /**
     * Returns the runs of a model that have an entry, whether or not its time is over, sorted.
     *
     * @param directory of the model, below the model root
     */
    public static List<String> runs(String directory) throws IOException {
        return new FlinkModelStorage()
                .list(new Path(directory, FOLDER).toString()).stream()
                        .filter(name -> name.endsWith(SUFFIX))
                        .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                        .toList();
    }

    /**
     * Removes the entries of all runs of a model whose names begin so.
     *
     * @param directory of the model, below the model root
     */
    static void removeAll(String directory, String prefix) throws IOException {
        Path folder = new Path(directory, FOLDER);
        FileSystem files = folder.getFileSystem();
        if (files.exists(folder)) {
            for (FileStatus status : files.listStatus(folder)) {
                if (status.getPath().getName().startsWith(prefix)) {
                    files.delete(status.getPath(), false);
                }
            }
        }
    }

    private ServiceAddress parse(byte[] bytes) throws IOException {
        try {
            JsonNode node = JSON.readTree(bytes);
            List<String> addresses = new ArrayList<>();
            node.required("addresses").forEach(each -> addresses.add(each.asText()));
            return new ServiceAddress(
                    node.required("run").asText(),
                    node.required("fence").asLong(),
                    addresses,
                    node.required("expiryMillis").asLong(),
                    node.path("ended").asBoolean());
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException(
                    "the service registry "
                            + file
                            + " is damaged: "
                            + new String(bytes, StandardCharsets.UTF_8),
                    e);
        }
    }

    /**
     * Removes the entry, if there is one; of a model whose name ends with the run's, which no other
     * run has, its folders too if they are empty then.
     */
    public void remove() throws IOException {
        FileSystem files = file.getFileSystem();
        files.delete(file, false);
        removeEmptyFolders(files);
    }

    /**
     * Removes an entry as {@link #remove()} does, unless another has replaced it meanwhile; on
     * object stores such a one may be lost that comes at the same moment.
     *
     * @return whether it was there, and is removed
     */
    public boolean remove(ServiceAddress entry) throws IOException {
        if (!read(Long.MIN_VALUE).equals(Optional.of(entry))) {
            return false;
        }
        FileSystem files = file.getFileSystem();
        if (FlinkModelStorage.isObjectStore(files)) {
            files.delete(file, false);
        } else {
            Path aside = file.suffix("." + UUID.randomUUID() + ".tmp");
            if (!files.rename(file, aside)) {
                return false;
            }
            boolean same = parse(bytes(files, aside)).equals(entry);
            if (!same && !files.exists(file) && files.rename(aside, file)) {
                return false;
            }
            files.delete(aside, false);
            if (!same) {
                return false;
            }
        }
        removeEmptyFolders(files);
        return true;
    }

    private void removeEmptyFolders(FileSystem files) throws IOException {
        Path folder = file.getParent();
        for (int above = 0; ownModel && above < 2 && isEmpty(files, folder); above++) {
            files.delete(folder, false);
            folder = folder.getParent();
        }
    }

    private static boolean isEmpty(FileSystem files, Path folder) throws IOException {
        if (!files.exists(folder)) {
            return false;
        }
        FileStatus[] entries = files.listStatus(folder);
        return entries != null && entries.length == 0;
    }
}
