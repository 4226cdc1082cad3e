package io.github.flinkps.harness.oracle;

import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * A storage of cuts that waits and fails where it is to. The folder of the run it belongs to is
 * found in the paths. Thread-safe.
 */
final class OracleStorage implements ModelStorage {
    /** The folder, below that of a run, that can be full. */
    static final String DISK = "disk";

    /** The root of the models of a run, below its folder. */
    static final String MODELS = DISK + "/models";

    /** The folder of the hooks, below that of a run. */
    static final String HOOKS = "hooks";

    /** The message of a full disk, as systems say it. */
    static final String FULL = "No space left on device";

    private static final String CUTS = "/cuts/";

    private final ModelStorage storage;

    OracleStorage(ModelStorage storage) {
        this.storage = storage;
    }

    /** Returns the hooks of the run that a path belongs to. */
    private static OracleHooks hooks(String path) {
        String plain = path.replaceFirst("^file:/*", "/");
        int models = plain.lastIndexOf("/" + MODELS + "/");
        if (models < 0) {
            throw new IllegalStateException("not a path of the oracle: " + path);
        }
        return new OracleHooks(Path.of(plain.substring(0, models), HOOKS));
    }

    private static void strike(Phase phase, OracleHooks hooks) throws IOException {
        OracleHooks.Answer answer = hooks.at(phase, null, null);
        if (answer == OracleHooks.Answer.FAIL) {
            throw new IOException("the oracle fails a server's part of a checkpoint");
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Runs a step that fails if the disk is full, and notes such a failure. */
    private static void onDisk(OracleHooks hooks, Step step) throws IOException {
        hooks.onDisk();
        try {
            step.run();
        } catch (IOException e) {
            if (isFull(e)) {
                hooks.diskWasFull();
            }
            throw e;
        }
    }

    /** Returns whether something failed for want of room. */
    static boolean isFull(IOException failure) {
        return String.valueOf(failure.getMessage()).endsWith(FULL);
    }

    @Override
    public String place(String path) {
        return storage.place(path);
    }

    @Override
    public Output create(String file) throws IOException {
        if (!file.contains(CUTS)) {
            return storage.create(file);
        }
        OracleHooks hooks = hooks(file);
        strike(Phase.FREEZING, hooks);
        hooks.onDisk();
        Output output = storage.create(file);
        return new Output() {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
                onDisk(hooks, () -> output.write(bytes));
                strike(Phase.WRITING, hooks);
            }

            @Override
            public void sync() throws IOException {
                onDisk(hooks, output::sync);
            }

            @Override
            public void close() throws IOException {
                onDisk(hooks, output::close);
            }
        };
    }

    @Override
    public ReadableByteChannel open(String file) throws IOException {
        if (file.contains(CUTS)) {
            strike(Phase.RESTORING, hooks(file));
        }
        return storage.open(file);
    }

    @Override
    public boolean exists(String path) throws IOException {
        return storage.exists(path);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return storage.list(directory);
    }

    @Override
    public long bytes(String path) throws IOException {
        return storage.bytes(path);
    }

    @Override
    public void makeDirectories(String directory) throws IOException {
        storage.makeDirectories(directory);
    }

    @Override
    public boolean renames(String path) {
        return storage.renames(path);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        storage.syncDirectory(directory);
    }

    @Override
    public void delete(String path) throws IOException {
        storage.delete(path);
    }
}
