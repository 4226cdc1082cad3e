package io.github.flinkps.harness.oracle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * The numbers that have been read of a source that does not go back. Nobody gets them again,
 * whatever becomes of the reader that has taken them. Each reader of each attempt notes its numbers
 * in a file of its own before it hands them on. One thread.
 */
final class OracleTaken implements AutoCloseable {
    private final Set<Long> before = new HashSet<>();
    private final FileChannel mine;
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

    /**
     * @param folder of all readers of a run
     */
    OracleTaken(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
                while (in.remaining() >= Long.BYTES) {
                    before.add(in.getLong());
                }
            }
        }
        mine =
                FileChannel.open(
                        folder.resolve(UUID.randomUUID().toString()),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE);
    }

    /** Returns whether a number was there to be taken. */
    boolean take(long taken) throws IOException {
        if (before.contains(taken)) {
            return false;
        }
        number.clear().putLong(taken).flip();
        while (number.hasRemaining()) {
            mine.write(number);
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        mine.close();
    }
}
