package io.github.flinkps.flink.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * An object store in a folder, as {@code s3-testing:///folder}: a file is there when it is closed,
 * and nothing can be renamed. Flink finds it by its factory.
 */
public final class TestingObjectStore extends LocalFileSystem {
    /** The scheme of its URIs. */
    public static final String SCHEME = "s3-testing";

    /** Makes it. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new TestingObjectStore();
        }
    }

    private final class Stream extends FSDataOutputStream {
        private final Path path;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Stream(Path path) {
            this.path = path;
        }

        @Override
        public long getPos() {
            return bytes.size();
        }

        @Override
        public void write(int b) {
            bytes.write(b);
        }

        @Override
        public void write(byte[] b, int off, int len) {
            bytes.write(b, off, len);
        }

        @Override
        public void flush() {}

        @Override
        public void sync() {
            throw new UnsupportedOperationException("only closing makes an object");
        }

        @Override
        public void close() throws IOException {
            try (FSDataOutputStream out = open(path)) {
                out.write(bytes.toByteArray());
            }
        }

        private FSDataOutputStream open(Path to) throws IOException {
            return TestingObjectStore.super.create(to, WriteMode.OVERWRITE);
        }
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) {
        return new Stream(path);
    }

    @Override
    public boolean rename(Path from, Path to) {
        throw new UnsupportedOperationException("objects have no other names: " + from);
    }

    @Override
    public boolean isDistributedFS() {
        return true;
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }
}
