package io.github.flinkps.testing;

import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Keeps what is sent over it. */
public final class TestingConnection implements Connection {
    private final ByteBufAllocator allocator;
    private final List<ByteBuf> sent = new ArrayList<>();
    private long reserved;
    private long client;
    private String clientName;
    private String certified;

    public TestingConnection(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Has shown a certificate of that name from now on. */
    public TestingConnection certified(String name) {
        certified = name;
        return this;
    }

    @Override
    public String certified() {
        return certified;
    }

    /** Returns the frames sent, to be released. */
    public List<ByteBuf> sent() {
        return sent;
    }

    /** Returns the bytes that wait at the handler. */
    public long reserved() {
        return reserved;
    }

    @Override
    public void send(ByteBuf frame) {
        sent.add(frame);
    }

    @Override
    public ByteBufAllocator allocator() {
        return allocator;
    }

    @Override
    public Loop loop() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> move(Loop loop, FrameHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String peer() {
        return "test";
    }

    @Override
    public void client(long identity, String name) {
        client = identity;
        clientName = name;
    }

    @Override
    public String clientName() {
        return clientName;
    }

    @Override
    public long client() {
        return client;
    }

    @Override
    public void limitFrames(int maxBytes, String limit) {}

    @Override
    public boolean hasRoomFor(long bytes) {
        return true;
    }

    @Override
    public void limitUnsent(long maxBytes) {}

    @Override
    public long reserve(long bytes) {
        reserved += bytes;
        return reserved;
    }

    @Override
    public void close() {}
}
