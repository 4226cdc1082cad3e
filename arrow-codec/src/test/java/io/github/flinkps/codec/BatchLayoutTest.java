package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Layouts against Arrow's own reader and writer. */
class BatchLayoutTest {
    private final BufferAllocator allocator = new RootAllocator(1L << 30);

    @AfterEach
    void everythingReleased() {
        assertThat(allocator.getAllocatedMemory()).isZero();
        allocator.close();
    }

    @ParameterizedTest
    @CsvSource({
        "1,0",
        "1,1",
        "1,7",
        "1,1000",
        "3,0",
        "3,1",
        "3,7",
        "3,1000",
        "16,0",
        "16,1",
        "16,7",
        "16,1000",
        "64,0",
        "64,1",
        "64,7",
        "64,1000",
        "4096,0",
        "4096,1",
        "4096,7",
        "4096,1000"
    })
    void arrowReadsWhatIsWritten(int width, int rows) {
        for (BatchLayout layout : layouts(width)) {
            TestBatch batch = TestBatch.random(layout, rows, 42);
            assertThat(ArrowBridge.read(allocator, batch)).isEqualTo(batch.content());
        }
    }

    static List<BatchLayout> layouts(int width) {
        return List.of(
                BatchLayout.keys(),
                BatchLayout.values(width),
                BatchLayout.keysAndValues(width),
                BatchLayout.rows(width, 2),
                BatchLayout.encodedKeys());
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,7", "3,1000", "16,7", "64,0", "4096,7"})
    void whatIsWrittenIsReadBack(int width, int rows) {
        for (BatchLayout layout : layouts(width)) {
            TestBatch batch = TestBatch.random(layout, rows, 43);
            ByteBuffer frame = batch.frame();
            BatchView view = layout.read(frame, batch.at(), batch.size());
            assertThat(TestBatch.content(layout, frame, view)).isEqualTo(batch.content());
            assertThat(view.byteLength())
                    .isEqualTo(batch.size())
                    .isEqualTo(layout.encodedSize(rows));
            assertThat(batch.size() % 64).isZero();
        }
    }
}
