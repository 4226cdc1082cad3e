package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
                BatchLayout.values(width, Column.Kind.INT8),
                BatchLayout.keysAndValues(width),
                BatchLayout.rows(width, 2),
                BatchLayout.rows(width, 1, true),
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

    @ParameterizedTest
    @CsvSource({"1,0", "1,7", "3,1000", "16,7", "64,1", "4096,7"})
    void whatArrowWritesIsRead(int width, int rows) {
        for (BatchLayout layout : layouts(width)) {
            TestBatch batch = ArrowBridge.byArrow(TestBatch.random(layout, rows, 44));
            BatchView view = layout.read(batch.frame(), 0, batch.size());
            assertThat(TestBatch.content(layout, batch.frame(), view)).isEqualTo(batch.content());
            ByteBuffer schema = ArrowBridge.schemaByArrow(batch);
            assertThat(layout.checkSchema(schema, 0, schema.capacity()))
                    .isEqualTo(schema.capacity());
        }
    }

    @Test
    void schemasOfOthersAreRefused() {
        List<BatchLayout> layouts = new ArrayList<>(layouts(3));
        layouts.addAll(
                List.of(
                        BatchLayout.values(4),
                        BatchLayout.keysAndValues(2),
                        BatchLayout.rows(3, 1)));
        for (BatchLayout mine : layouts) {
            for (BatchLayout other : layouts) {
                ByteBuffer schema = other.schemaMessage();
                if (mine == other) {
                    assertThat(mine.checkSchema(schema, 0, schema.capacity()))
                            .isEqualTo(schema.capacity());
                } else {
                    assertThatThrownBy(() -> mine.checkSchema(schema, 0, schema.capacity()))
                            .isInstanceOfSatisfying(
                                    CodecException.class,
                                    e -> assertThat(e.reason()).isEqualTo(Reason.WRONG_SCHEMA));
                }
            }
        }
    }

    @Test
    void everyColumnIsAligned() {
        for (int width : new int[] {1, 3, 4096}) {
            for (BatchLayout layout : layouts(width)) {
                assertThat(layout.metadataSize() % 64).isZero();
                for (int c = 0; c < layout.columnCount(); c++) {
                    assertThat(layout.columnOffset(c, 13) % 64).isZero();
                }
            }
        }
        assertThat(BatchLayout.rows(8, 0))
                .isSameAs(BatchLayout.keysAndValues(8))
                .isSameAs(BatchLayout.rows(8, 0));
    }

    @Test
    void equalBatchesAreEqualBytes() {
        BatchLayout layout = BatchLayout.rows(3, 1);
        int size = layout.encodedSize(5);
        ByteBuffer zeros = ByteBuffer.allocateDirect(size);
        ByteBuffer ones = ByteBuffer.allocateDirect(size);
        for (int i = 0; i < size; i++) {
            ones.put(i, (byte) -1);
        }
        for (ByteBuffer frame : List.of(zeros, ones)) {
            layout.writeMetadata(frame, 0, 5);
            for (int c = 0; c < layout.columnCount(); c++) {
                byte[] data = new byte[(int) layout.columnBytes(c, 5)];
                frame.put(layout.columnOffset(c, 5), data);
            }
        }
        assertThat(ones).isEqualTo(zeros);
    }
}
