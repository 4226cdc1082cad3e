package io.github.flinkps.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;

/**
 * The local file system, unsynced for speed, with failures: one at a given operation, or all
 * writing beyond a number of bytes.
 */
public class TestingModelStorage implements ModelStorage {
    static final String FULL = "No space left on device";
    private static final String UPLOAD = ".upload";

    private final ModelStorage local = new LocalModelStorage();
    private long bytesLeft = Long.MAX_VALUE;
    private int failingOperation = -1;
    private int operations;
    private boolean renames = true;
    private boolean storesCutShort;

    public static TestingModelStorage withSpace(long bytes) {
        TestingModelStorage storage = new TestingModelStorage();
        storage.bytesLeft = bytes;
        return storage;
    }

    public static TestingModelStorage failingAt(int operation) {
        TestingModelStorage storage = new TestingModelStorage();
        storage.failingOperation = operation;
        return storage;
    }

    /**
     * Behaves like object stores: files appear whole when they are closed, and keep their names.
     */
    public TestingModelStorage withoutRenames() {
        renames = false;
        return this;
    }

    /**
     * Behaves like object stores at their worst: a file whose writing fails is there, cut short,
     * and one whose close fails is there all the same.
     */
    TestingModelStorage storingCutShort() {
        storesCutShort = true;
        return withoutRenames();
    }

    /** Changing operations so far. */
    public int operations() {
        return operations;
    }

    private void operation() throws IOException {
        if (operations++ == failingOperation) {
            throw new IOException("failed as asked");
        }
    }

    @Override
    public Output create(String file) throws IOException {
        operation();
        Output output = local.create(renames ? file : file + UPLOAD);
        return new Output() {
            private boolean synced;
            private boolean closed;

            @Override
            public void write(ByteBuffer bytes) throws IOException {
                operation();
                if (bytes.remaining() > bytesLeft) {
                    ByteBuffer fitting = bytes.duplicate();
                    fitting.limit(fitting.position() + (int) bytesLeft);
                    output.write(fitting);
                    bytesLeft = 0;
                    throw new IOException(FULL);
                }
                bytesLeft -= bytes.remaining();
                output.write(bytes);
            }

            @Override
            public void sync() throws IOException {
                operation();
                synced = true;
            }

            @Override
            public void close() throws IOException {
                output.close();
                if (!renames && !closed) {
                    closed = true;
                    try {
                        if (storesCutShort) {
                            local.rename(file + UPLOAD, file);
                            operation();
                            return;
                        }
                        operation();
                        if (synced) {
                            local.rename(file + UPLOAD, file);
                        }
                    } finally {
                        local.delete(file + UPLOAD);
                    }
                }
            }
        };
    }

    @Override
    public ReadableByteChannel open(String file) throws IOException {
        return local.open(file);
    }

    @Override
    public boolean exists(String path) throws IOException {
        return local.exists(path);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return local.list(directory).stream().filter(name -> !name.endsWith(UPLOAD)).toList();
    }

    @Override
    public long bytes(String path) throws IOException {
        return local.bytes(path);
    }

    @Override
    public void makeDirectories(String directory) throws IOException {
        operation();
        local.makeDirectories(directory);
    }

    @Override
    public boolean renames(String path) {
        return renames;
    }

    @Override
    public void rename(String from, String to) throws IOException {
        if (!renames) {
            throw new UnsupportedOperationException("rename");
        }
        operation();
        local.rename(from, to);
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        operation();
    }

    @Override
    public void delete(String path) throws IOException {
        local.delete(path);
    }
}
