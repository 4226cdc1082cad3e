package io.github.flinkps.flink.service;

import java.io.IOException;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Flink asks a source for splits; this one has none. */
final class ServiceSplit implements SourceSplit {
    static final SimpleVersionedSerializer<ServiceSplit> SERIALIZER = new None();

    private ServiceSplit() {}

    @Override
    public String splitId() {
        return "service";
    }

    private static final class None implements SimpleVersionedSerializer<ServiceSplit> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(ServiceSplit split) {
            return new byte[0];
        }

        @Override
        public ServiceSplit deserialize(int version, byte[] bytes) throws IOException {
            throw new IOException("the service source has no splits");
        }
    }
}
