package io.github.flinkps.flink.service;

import io.github.flinkps.flink.internal.compat.Uploads;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Models on any file system that Flink knows, by path or URI: those of its plug-ins too where they
 * are installed. Stateless, thread-safe.
 */
public final class FlinkModelStorage implements ModelStorage {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final String LOCAL = "file";
    private static final LocalModelStorage LOCAL_FILES = new LocalModelStorage();

    /** The most tries of a listing during which a listed file is removed. */
    private static final int MOST_TRIES = 10;

    /** The beginnings of the schemes of object stores. */
    private static final List<String> OBJECT_STORES =
            List.of("s3", "emr", "oss", "wasb", "gs", "cosn", "obs", "http", "ftp");

    private static FileSystem files(Path path) throws IOException {
        return path.getFileSystem();
    }

    /**
     * Returns whether a file is there when it is closed, and renaming is copying. Flink 2 cannot be
     * asked any more; these are the schemes of which Flink 1.20 says so.
     */
    static boolean isObjectStore(FileSystem files) {
        String scheme = String.valueOf(files.getUri().getScheme()).toLowerCase(Locale.ROOT);
        return OBJECT_STORES.stream().anyMatch(scheme::startsWith);
    }

    /** Refuses {@code ..}, which a store would take as the name of a folder. */
    @Override
    public String place(String path) {
        if (LocalModelStorage.isLocal(path)) {
            return LOCAL_FILES.place(path);
        }
        Path place = new Path(path);
        if (List.of(place.getPath().split("/")).contains("..")) {
            throw new IllegalArgumentException(path + " is no place in a store");
        }
        return place.toString();
    }

    @Override
    public Output create(String file) throws IOException {
        Path path = new Path(file);
        FileSystem files = files(path);
        return new FlinkOutput(
                files.create(path, FileSystem.WriteMode.OVERWRITE), isObjectStore(files));
    }

    private static final class FlinkOutput implements Output {
        private final FSDataOutputStream out;
        private final boolean upload;
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private boolean unsynced;

        /**
         * @param upload whether the file is there when it is closed
         */
        FlinkOutput(FSDataOutputStream out, boolean upload) {
            this.out = out;
            this.upload = upload;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            unsynced = true;
            while (bytes.hasRemaining()) {
                int count = Math.min(bytes.remaining(), chunk.length);
                bytes.get(chunk, 0, count);
                out.write(chunk, 0, count);
            }
        }

        @Override
        public void sync() throws IOException {
            try {
                out.sync();
            } catch (UnsupportedOperationException closesOnly) {
                // Object stores have a file, and keep it, when it is closed.
                out.flush();
            }
            unsynced = false;
        }

        @Override
        public void close() throws IOException {
            if (upload && unsynced) { // it is given up
                Uploads.abort(out);
            }
            out.close();
        }
    }

    @Override
    public ReadableByteChannel open(String file) throws IOException {
        Path path = new Path(file);
        try {
            return Channels.newChannel(files(path).open(path));
        } catch (FileNotFoundException absent) {
            throw missing(file, absent);
        }
    }

    private static NoSuchFileException missing(String file, Exception cause) {
        NoSuchFileException missing = new NoSuchFileException(file);
        missing.initCause(cause);
        return missing;
    }

    @Override
    public boolean exists(String path) throws IOException {
        Path wanted = new Path(path);
        return isLocal(wanted)
                ? LOCAL_FILES.exists(wanted.getPath())
                : files(wanted).exists(wanted);
    }

    /**
     * Returns whether a path is local, which {@link #LOCAL_FILES} serve: Flink's own file system
     * takes a failure, and a neighbour that goes, for absence.
     */
    private static boolean isLocal(Path path) throws IOException {
        return LOCAL.equals(files(path).getUri().getScheme());
    }

    @Override
    public boolean isRegular(String path) throws IOException {
        Path wanted = new Path(path);
        return !isLocal(wanted) || LOCAL_FILES.isRegular(wanted.getPath());
    }

    @Override
    public List<String> list(String directory) throws IOException {
        Path path = new Path(directory);
        if (isLocal(path)) {
            return LOCAL_FILES.list(path.getPath());
        }
        for (int left = MOST_TRIES; ; left--) {
            try {
                if (!files(path).getFileStatus(path).isDir()) {
                    return List.of();
                }
                FileStatus[] found = files(path).listStatus(path);
                if (found == null) {
                    throw new IOException("cannot list " + directory);
                }
                return Arrays.stream(found).map(each -> each.getPath().getName()).sorted().toList();
            } catch (FileNotFoundException absent) {
                if (!files(path).exists(path)) {
                    return List.of();
                }
                if (left == 1) {
                    throw absent;
                }
            }
        }
    }

    @Override
    public long bytes(String path) throws IOException {
        Path wanted = new Path(path);
        try {
            return bytes(files(wanted), files(wanted).getFileStatus(wanted));
        } catch (FileNotFoundException absent) {
            return 0;
        }
    }

    private static long bytes(FileSystem files, FileStatus status) throws IOException {
        if (!status.isDir()) {
            return status.getLen();
        }
        FileStatus[] found = files.listStatus(status.getPath());
        long sum = 0;
        for (FileStatus each : found == null ? new FileStatus[0] : found) {
            sum += bytes(files, each);
        }
        return sum;
    }

    @Override
    public void makeDirectories(String directory) throws IOException {
        Path path = new Path(directory);
        if (!files(path).mkdirs(path) && !files(path).exists(path)) {
            throw new IOException("cannot create directory " + directory);
        }
    }

    /**
     * Returns whether renaming is one step: object stores copy and delete instead, file by file.
     */
    @Override
    public boolean renames(String path) {
        try {
            return !isObjectStore(files(new Path(path)));
        } catch (IOException unreachable) {
            return true; // what is written there next says why it cannot be
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Path source = new Path(from);
        Path target = new Path(to);
        FileSystem files = files(source);
        if (isLocal(source)) {
            // Flink's own removes what it replaces first, so that for a moment nothing is there.
            LOCAL_FILES.rename(source.getPath(), target.getPath());
            return;
        }
        if (!files.exists(source)) {
            throw new NoSuchFileException(from);
        }
        boolean directory = files.getFileStatus(source).isDir();
        if (directory && !list(to).isEmpty()) {
            throw new IOException(to + " is there already");
        }
        if (files.rename(source, target)) {
            Path inside = new Path(target, source.getName());
            if (directory && files.exists(inside)) { // some move it into one that has come since
                files.rename(inside, source);
                throw new IOException(to + " is there already");
            }
            return;
        }
        // Some do not rename over a file.
        files.delete(target, false);
        if (!files.rename(source, target)) {
            throw new IOException("cannot rename " + from + " to " + to);
        }
    }

    /**
     * Syncs a local directory. Does nothing on other file systems: there, what is closed is there.
     */
    @Override
    public void syncDirectory(String directory) throws IOException {
        Path path = new Path(directory);
        if (isLocal(path)) {
            LOCAL_FILES.syncDirectory(path.getPath());
        }
    }

    @Override
    public void delete(String path) throws IOException {
        Path gone = new Path(path);
        if (isLocal(gone)) {
            LOCAL_FILES.delete(gone.getPath()); // also while another removes it too
            return;
        }
        FileSystem files = files(gone);
        if (files.exists(gone) && !files.delete(gone, true) && files.exists(gone)) {
            throw new IOException("cannot delete " + path);
        }
    }
}
