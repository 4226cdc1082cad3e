package io.github.flinkps.flink.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The enumerator's state: the highest fence it has given out. Version 1: eight bytes. */
final class FenceSerializer implements SimpleVersionedSerializer<Long> {
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(Long fence) {
        return ByteBuffer.allocate(Long.BYTES).putLong(fence).array();
    }

    @Override
    public Long deserialize(int version, byte[] bytes) throws IOException {
        if (version != VERSION || bytes.length != Long.BYTES) {
            throw new IOException("unknown state of a service source, version " + version);
        }
        return ByteBuffer.wrap(bytes).getLong();
    }
}
