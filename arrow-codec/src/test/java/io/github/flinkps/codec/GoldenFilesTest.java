package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The format stays as it is: what we write is the golden files, and these and pyarrow's are read.
 */
class GoldenFilesTest {
    static Stream<Map.Entry<String, TestBatch>> batches() {
        return GoldenBatches.all().entrySet().stream();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/" + name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @MethodSource("batches")
    void bytesAreTheGoldenOnes(Map.Entry<String, TestBatch> batch) throws IOException {
        byte[] golden = resource(batch.getKey() + ".arrows");
        assertThat(ArrowBridge.stream(batch.getValue())).isEqualTo(golden);
        readStream(batch.getValue(), golden);
    }

    @ParameterizedTest
    @MethodSource("batches")
    void whatPyarrowWroteIsRead(Map.Entry<String, TestBatch> batch) throws IOException {
        readStream(batch.getValue(), resource(batch.getKey() + ".pyarrow.arrows"));
    }

    @Test
    void arrowReadsTheGoldenFiles() throws IOException {
        try (BufferAllocator allocator = new RootAllocator(1 << 24)) {
            for (Map.Entry<String, TestBatch> batch : GoldenBatches.all().entrySet()) {
                byte[] golden = resource(batch.getKey() + ".arrows");
                assertThat(ArrowBridge.readStream(allocator, golden))
                        .isEqualTo(batch.getValue().content());
            }
            assertThat(allocator.getAllocatedMemory()).isZero();
        }
    }

    /** Reads schema and batch with our own reader. */
    static void readStream(TestBatch expected, byte[] stream) {
        BatchLayout layout = expected.layout();
        ByteBuffer frame = ByteBuffer.allocateDirect(stream.length);
        frame.put(0, stream);
        int at = layout.checkSchema(frame, 0, stream.length);
        BatchView view = layout.read(frame, at, stream.length - at);
        assertThat(TestBatch.content(layout, frame, view)).isEqualTo(expected.content());
        // What is left is the end mark.
        assertThat(at + view.byteLength() + 8).isEqualTo(stream.length);
    }
}
