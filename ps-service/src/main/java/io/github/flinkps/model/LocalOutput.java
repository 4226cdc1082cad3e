package io.github.flinkps.model;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * A file of this machine, written in large blocks that go past the page cache where its file system
 * lets them. What is written here is seldom read soon, while memory for the cache must be found,
 * filled and written out beside training. What is left at the end goes through the cache, and so
 * does everything elsewhere.
 *
 * <p>Errors may come up to a block late, with {@link #sync} or {@link #close} at the latest; behind
 * one nothing more is written. Used by one thread at a time; keeps a buffer of {@link #BLOCK_BYTES}
 * outside the heap until it is closed.
 */
final class LocalOutput implements ModelStorage.Output {
    static final int BLOCK_BYTES = 1 << 20;

    /**
     * Alignment of the memory that is written from, in bytes; offsets in the file are multiples of
     * a block.
     */
    private static final int ALIGNMENT = 4096;

    /** Memory outside the heap is given back late, so a few buffers are kept. */
    private static final Queue<ByteBuffer> IDLE = new ArrayBlockingQueue<>(4);

    private final Path path;
    private final FileChannel channel;

    /**
     * A second channel to the same file, past the page cache; null where the file system has none.
     */
    private final FileChannel direct;

    private boolean cached;

    /** True if something has failed: what is on the file then is not known. */
    private boolean broken;

    /** The bytes to come at {@link #place}; null once closed. */
    private ByteBuffer block;

    private long place;
    private int synced;

    /**
     * @param direct to the same file, past the cache; or null
     * @param block of {@link #newBlock}
     */
    LocalOutput(Path path, FileChannel channel, FileChannel direct, ByteBuffer block) {
        this.path = path;
        this.channel = channel;
        this.direct = direct;
        this.cached = direct == null;
        this.block = block;
    }

    /** Creates a file, or begins anew with one that is there. */
    static LocalOutput create(Path path) throws IOException {
        ByteBuffer idle = IDLE.poll();
        ByteBuffer block = idle == null ? newBlock() : idle;
        try {
            FileChannel channel =
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
            return new LocalOutput(path, channel, openDirect(path), block);
        } catch (IOException | RuntimeException e) {
            giveBack(block);
            throw e;
        }
    }

    static ByteBuffer newBlock() {
        ByteBuffer memory = ByteBuffer.allocateDirect(BLOCK_BYTES + ALIGNMENT);
        return memory.alignedSlice(ALIGNMENT).slice(0, BLOCK_BYTES);
    }

    private static void giveBack(ByteBuffer block) {
        block.clear();
        IDLE.offer(block);
    }

    /** Returns a way past the cache to a file that is there, or null. */
    private static FileChannel openDirect(Path path) {
        try {
            return FileChannel.open(path, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Returns whether blocks go past the page cache. */
    boolean isDirect() {
        return !cached;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        check();
        while (bytes.hasRemaining()) {
            int count = Math.min(bytes.remaining(), block.remaining());
            block.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
            if (!block.hasRemaining()) {
                writeBlock();
            }
        }
    }

    private void check() throws IOException {
        if (block == null) {
            throw new ClosedChannelException();
        }
        if (broken) {
            throw new IOException("what was written to " + path + " before has failed");
        }
    }

    private void writeBlock() throws IOException {
        block.flip();
        broken = true;
        if (!cached) {
            writePastCache();
        }
        writeFully(block);
        place += BLOCK_BYTES;
        synced = 0;
        block.clear();
    }

    /** Leaves what is left of the block to the cache if there is no way past it. */
    private void writePastCache() {
        try {
            while (block.hasRemaining()) {
                direct.write(block, place + block.position());
            }
        } catch (IOException e) {
            // A lasting error, as of a full disk, comes again with the cache, and is told then.
            cached = true;
        }
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        broken = true;
        while (bytes.hasRemaining()) {
            channel.write(bytes, place + bytes.position());
        }
        broken = false;
    }

    @Override
    public void sync() throws IOException {
        check();
        writeRest();
        broken = true;
        channel.force(true);
        broken = false;
    }

    /** Writes what there is of a block, which stays, as more may come. */
    private void writeRest() throws IOException {
        if (block.position() > synced) {
            writeFully(block.duplicate().flip());
            synced = block.position();
        }
    }

    @Override
    public void close() throws IOException {
        if (block == null) {
            return;
        }
        try (channel;
                FileChannel other = direct) {
            if (!broken) {
                writeRest();
            }
        } finally {
            giveBack(block);
            block = null;
        }
    }
}
