package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.ModelTable;
import io.github.flinkps.model.ModelWriter;
import io.github.flinkps.model.RowBlock;
import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Model directories in Arrow IPC files on the file systems that Flink knows. Saving scans the
 * partitions one after the other, the next chunk under way while one is written. Loading keeps a
 * few chunks under way.
 */
public final class ArrowModelArchive implements ModelArchive {
    /** The fact of a saved model that names the run which has trained it. */
    public static final String RUN = "run";

    /** The fact of a saved model that says when it was published, an {@link Instant}. */
    public static final String TIME = "time";

    /** The fact of a saved model that names servers which had it too, separated by commas. */
    public static final String SERVERS = "servers";

    /** The fact of a saved model that names the attempt by which those servers know it. */
    public static final String ATTEMPT = "attempt";

    private static final long serialVersionUID = 1L;
    private static final int MOST_LOADS = 5;
    private static final long BOUND_SECONDS = 120;
    private static final Pattern OTHER_URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");

    private final String model;
    private final String algorithm;
    private final TreeMap<String, String> parameters;
    private final String input;

    /** The run that models say has made them; null where they say none. */
    private final String run;

    private final TreeMap<String, String> served;

    /**
     * @param model its name
     * @param algorithm its name
     * @param parameters with which the algorithm makes the model again
     * @param input how rows become the model's, see {@link ModelHeader}
     */
    public ArrowModelArchive(
            String model, String algorithm, Map<String, String> parameters, String input) {
        this(model, algorithm, parameters, input, null, Map.of());
    }

    private ArrowModelArchive(
            String model,
            String algorithm,
            Map<String, String> parameters,
            String input,
            String run,
            Map<String, String> served) {
        this.model = model;
        this.algorithm = algorithm;
        this.parameters = new TreeMap<>(parameters);
        this.input = input;
        this.run = run;
        this.served = new TreeMap<>(served);
    }

    @Override
    public ArrowModelArchive servedBy(List<String> servers, String attempt) {
        return new ArrowModelArchive(
                model,
                algorithm,
                parameters,
                input,
                run,
                Map.of(SERVERS, String.join(",", servers), ATTEMPT, attempt));
    }

    /**
     * Returns one whose models say by facts which run has saved them, {@link #RUN}, and {@link
     * #TIME}.
     */
    public ArrowModelArchive ofRun(String savingRun) {
        return new ArrowModelArchive(model, algorithm, parameters, input, savingRun, served);
    }

    /**
     * Returns a directory, given as path or URI, as all processes name it that see its file system;
     * a relative path is relative to the folder of this process.
     *
     * @throws IllegalArgumentException for a file system that Flink does not know here
     */
    public static String path(String directory) {
        if (isLocal(directory)) {
            return LocalModelStorage.path(directory);
        }
        try {
            FileSystem unused = new Path(directory).getFileSystem();
            return directory.replaceAll("/+$", "");
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the model directory " + directory + " cannot be reached: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns the local path of a directory, as {@link #path}.
     *
     * @param user what needs it there, for the message
     * @throws IllegalArgumentException if it is on another file system
     */
    public static String localPath(String directory, String user) {
        if (!isLocal(directory)) {
            throw new IllegalArgumentException(
                    directory
                            + " is not on a file system of the machines, which "
                            + user
                            + " needs: name a path or a file: URI");
        }
        return LocalModelStorage.path(directory);
    }

    /** Returns where a directory lies that {@link #path} has returned. */
    public static ModelStorage storage(String directory) {
        return isLocal(directory) ? new LocalModelStorage() : new FlinkModelStorage();
    }

    private static boolean isLocal(String directory) {
        return !OTHER_URI.matcher(directory).matches() || directory.startsWith("file:");
    }

    @Override
    public void checkWritable(List<TableSpec> tables, String directory) {
        try (BufferAllocator memory = new RootAllocator();
                ModelWriter writer = begin(tables, directory, false, memory)) {
            writer.abort();
        }
    }

    private ModelWriter begin(
            List<TableSpec> tables, String directory, boolean withSlots, BufferAllocator memory) {
        ModelHeader header =
                new ModelHeader(model, algorithm, parameters, tables, input, withSlots);
        String path = path(directory);
        return ModelWriter.begin(storage(path), path, header, memory);
    }

    @Override
    public PendingModel write(
            ModelSession session, List<TableSpec> tables, String directory, boolean withSlots) {
        Pending pending = new Pending();
        boolean written = false;
        try {
            pending.writer = begin(tables, directory, withSlots, pending.memory);
            for (TableSpec table : tables) {
                for (int partition = 0; partition < table.partitions(); partition++) {
                    Scan scan = new Scan(session, table, partition, withSlots);
                    pending.writer.writePartition(table.name(), partition, scan, scan::steps);
                }
            }
            written = true;
            return pending;
        } finally {
            if (!written) {
                pending.close();
            }
        }
    }

    private final class Pending implements PendingModel {
        private final BufferAllocator memory = new RootAllocator();
        private ModelWriter writer;

        @Override
        public void publish(Map<String, String> facts) {
            Map<String, String> all = new TreeMap<>(facts);
            all.putAll(served);
            if (run != null) {
                all.put(RUN, run);
                all.put(TIME, Instant.now().toString());
            }
            writer.commit(all);
        }

        @Override
        public void close() {
            try {
                if (writer != null) {
                    writer.close();
                }
            } finally {
                memory.close();
            }
        }
    }

    /** Begins again, with empty tables, where the model is replaced while it is read. */
    @Override
    public void load(ModelSession session, List<TableSpec> tables, String directory)
            throws Exception {
        try (BufferAllocator memory = new RootAllocator()) {
            for (int left = MOST_LOADS; !load(session, tables, directory, memory, left); left--) {
                for (TableSpec table : tables) {
                    String what = "emptying table '" + table.name() + "'";
                    await(session.dropTable(table.name()), what);
                    await(session.createTable(table), what);
                }
            }
        }
    }

    /** Returns whether it was loaded; if not, another model has taken its place. */
    private boolean load(
            ModelSession session,
            List<TableSpec> tables,
            String directory,
            BufferAllocator memory,
            int attemptsLeft) {
        String path = path(directory);
        ModelStorage storage = storage(path);
        try (ModelReader reader = ModelReader.open(storage, path, memory)) {
            try {
                for (TableSpec table : tables) {
                    load(session, table, reader, directory);
                }
                return true;
            } catch (PsException e) {
                List<ModelTable> now = ModelReader.readManifest(storage, path).tables();
                if (attemptsLeft <= 1 || now.equals(reader.manifest().tables())) {
                    throw e;
                }
                return false;
            }
        }
    }

    private static void load(
            ModelSession session, TableSpec table, ModelReader reader, String directory) {
        ModelTable saved = reader.manifest().table(table.name());
        check(saved.spec(), table, directory);
        boolean slots =
                reader.manifest().header().slots()
                        && RowLoads.takesSlots(saved.spec(), table, directory);
        RowLoads loads = new RowLoads(session, table, slots);
        try {
            for (int partition = 0; partition < table.partitions(); partition++) {
                int current = partition;
                StepCounts steps = saved.files().get(partition).steps();
                reader.read(table.name(), partition, block -> loads.add(current, steps, block));
                loads.endPartition(partition, steps);
            }
        } finally {
            loads.finish();
        }
    }

    /** Returns whether rows of the one are rows of the other. */
    public static boolean sameShape(TableSpec one, TableSpec other) {
        return one.size() == other.size()
                && one.width() == other.width()
                && one.keyBits() == other.keyBits()
                && one.partitions() == other.partitions();
    }

    private static void check(TableSpec saved, TableSpec table, String directory) {
        if (!sameShape(saved, table)) {
            throw new IllegalArgumentException(
                    "table '"
                            + table.name()
                            + "' of the model in "
                            + directory
                            + " has another shape: "
                            + saved
                            + " instead of "
                            + table);
        }
    }

    static <T> T await(CompletableFuture<T> future, String what) {
        try {
            return future.get(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(what + " was interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    what + " failed: " + ServiceException.unwrap(e).getMessage(), e);
        }
    }

    /** The rows of a partition, the chunk after the one handed out being under way. */
    private static final class Scan implements Iterator<RowBlock> {
        private final ModelSession session;
        private final TableSpec table;
        private final int partition;
        private final boolean withSlots;
        private CompletableFuture<RowChunk> next;
        private StepCounts steps = StepCounts.ofRounds(0);

        Scan(ModelSession session, TableSpec table, int partition, boolean withSlots) {
            this.session = session;
            this.table = table;
            this.partition = partition;
            this.withSlots = withSlots;
            this.next = session.scan(table.name(), partition, 0, withSlots);
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public RowBlock next() {
            if (next == null) {
                throw new NoSuchElementException();
            }
            RowChunk chunk = await(next, "reading table '" + table.name() + "' to save the model");
            steps = chunk.steps();
            checkFinite(chunk);
            next =
                    chunk.nextCursor() == RowChunk.END
                            ? null
                            : session.scan(table.name(), partition, chunk.nextCursor(), withSlots);
            return new RowBlock(chunk.keys(), chunk.values(), chunk.slots(), chunk.keys().length);
        }

        /** Returns the steps that the last chunk named. */
        StepCounts steps() {
            return steps;
        }

        /**
         * Refuses values that are NaN or infinite: such a model must not replace one that is
         * finite.
         *
         * @throws PsException NOT_FINITE, naming the key and the table
         */
        private void checkFinite(RowChunk chunk) {
            float[] values = chunk.values();
            int count = chunk.keys().length * table.width();
            for (int i = 0; i < count; i++) {
                if (!Float.isFinite(values[i])) {
                    throw new PsException(
                            ErrorCode.NOT_FINITE,
                            "the model is not saved: key "
                                    + chunk.keys()[i / table.width()]
                                    + " of table '"
                                    + table.name()
                                    + "' is NaN or infinite; lower the learning rate or the values"
                                    + " of the input");
                }
            }
        }
    }
}
