package io.github.flinkps.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Takes so many bytes, some at a time, each for its place in a file; then it fails. */
final class FailingChannel extends FileChannel {
    private static final int AT_A_TIME = 300_000;

    private final FileChannel file;
    private int left;

    FailingChannel(Path file, int bytes) throws IOException {
        this.file = FileChannel.open(file, StandardOpenOption.WRITE);
        this.left = bytes;
    }

    @Override
    public int write(ByteBuffer from, long place) throws IOException {
        if (left == 0) {
            throw new IOException("takes no more");
        }
        int count = Math.min(from.remaining(), Math.min(AT_A_TIME, left));
        ByteBuffer some = from.slice(from.position(), count);
        while (some.hasRemaining()) {
            file.write(some, place + some.position());
        }
        from.position(from.position() + count);
        left -= count;
        return count;
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    @Override
    public int read(ByteBuffer to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer to, long place) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long place) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long place, long count, WritableByteChannel to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long place, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long place, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long place, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long place, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
