package io.github.flinkps.model;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reading and removing files of a storage, with failures that name them. */
public final class StorageFiles {
    private static final Logger LOG = LoggerFactory.getLogger(StorageFiles.class);
    private static final int MAX_MANIFEST_BYTES = 256 << 20;

    private StorageFiles() {}

    /**
     * Returns all bytes of a manifest.
     *
     * @throws PsException CORRUPT if it is no regular file, or too long
     */
    public static byte[] readManifest(ModelStorage storage, String file) throws IOException {
        if (!storage.isRegular(file)) {
            throw ModelFailures.corrupt(file, "it is no regular file");
        }
        try (InputStream in = Channels.newInputStream(storage.open(file))) {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            byte[] part = new byte[1 << 14];
            for (int count = in.read(part); count >= 0; count = in.read(part)) {
                json.write(part, 0, count);
                if (json.size() > MAX_MANIFEST_BYTES) {
                    throw ModelFailures.corrupt(
                            file, "it is longer than " + MAX_MANIFEST_BYTES + " bytes");
                }
            }
            return json.toByteArray();
        }
    }

    public static int crc32c(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /**
     * Compares length and checksum of a file with what was written, through {@code buffer}.
     *
     * @throws PsException CORRUPT, IO
     */
    public static void verify(
            ModelStorage storage, String path, StoredFile expected, ByteBuffer buffer) {
        CRC32C crc = new CRC32C();
        long bytes = 0;
        try (ReadableByteChannel channel = storage.open(path)) {
            for (int count = channel.read(buffer.clear());
                    count >= 0;
                    count = channel.read(buffer.clear())) {
                crc.update(buffer.flip());
                bytes += count;
            }
        } catch (NoSuchFileException e) {
            throw missing(path, e);
        } catch (IOException e) {
            throw ModelFailures.io("read", path, e);
        }
        if (bytes != expected.bytes()) {
            throw ModelFailures.corrupt(
                    path, "it has " + bytes + " bytes instead of " + expected.bytes());
        }
        if ((int) crc.getValue() != expected.crc32c()) {
            throw ModelFailures.corrupt(path, "its checksum differs: it has been altered");
        }
    }

    /** Fills {@code [from, to)} of a buffer. */
    public static void fill(
            ReadableByteChannel channel, ByteBuffer block, int from, int to, String path)
            throws IOException {
        block.limit(block.capacity()).position(from).limit(to);
        while (block.hasRemaining()) {
            if (channel.read(block) < 0) {
                throw ModelFailures.corrupt(path, "it ends early");
            }
        }
        block.limit(block.capacity());
    }

    public static PsException missing(String path, NoSuchFileException cause) {
        return new PsException(ErrorCode.CORRUPT, path + " is damaged: it is missing", cause);
    }

    /** Closes a file that has been read, or has failed already, and ignores errors. */
    public static void closeQuietly(Closeable file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            LOG.debug("closing a file failed: {}", e.toString());
        }
    }

    public static void deleteQuietly(ModelStorage storage, String path) {
        try {
            storage.delete(path);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be removed and may be deleted by hand: {}", path, e.toString());
        }
    }

    public static String withoutEndSlash(String directory) {
        String path = directory;
        while (path.length() > 1 && path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        return path;
    }

    /** Returns the directory that holds a file or directory; {@code .} for a name alone. */
    public static String parent(String path) {
        int name = path.lastIndexOf('/');
        return name < 0 ? "." : path.substring(0, Math.max(1, name));
    }
}
