package io.github.flinkps.flink.service;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A lock of a file, which the operating system lets go when the process that holds it ends. */
final class ProcessLock implements AutoCloseable {
    private final FileChannel channel;

    private ProcessLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock, or returns null where another, of this process too, has it.
     *
     * @param file made where it is not there, and never removed
     */
    static ProcessLock take(String file) throws IOException {
        Path path = Path.of(file);
        Files.createDirectories(path.getParent());
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            FileLock lock = channel.tryLock();
            taken = lock != null;
            return taken ? new ProcessLock(channel) : null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return null;
        } finally {
            if (!taken) {
                channel.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
