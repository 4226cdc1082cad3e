package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.codec.BatchFileFormat.BatchBlock;
import io.github.flinkps.codec.CodecException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BatchFileFormatTest {
    private static final int[] ROWS = {5, 0, 3};

    private final BatchLayout layout = BatchLayout.rows(3, 1, true);
    private final List<BatchBlock> blocks = new ArrayList<>();

    private byte[] file() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(BatchFileFormat.start(layout).array());
        for (int rows : ROWS) {
            blocks.add(new BatchBlock(out.size(), rows));
            TestBatch batch = TestBatch.random(layout, rows, rows);
            byte[] bytes = new byte[batch.size()];
            batch.frame().get(batch.at(), bytes);
            out.writeBytes(bytes);
        }
        out.writeBytes(BatchFileFormat.end(layout, blocks).array());
        return out.toByteArray();
    }

    @Test
    void arrowReadsTheFile() throws IOException {
        byte[] file = file();
        try (BufferAllocator allocator = new RootAllocator(1 << 24);
                ArrowFileReader reader =
                        new ArrowFileReader(
                                new ByteArrayReadableSeekableByteChannel(file), allocator)) {
            assertThat(reader.getRecordBlocks()).hasSize(ROWS.length);
            for (int rows : ROWS) {
                assertThat(reader.loadNextBatch()).isTrue();
                assertThat(reader.getVectorSchemaRoot().getRowCount()).isEqualTo(rows);
                assertThat(ArrowBridge.content(reader.getVectorSchemaRoot()))
                        .isEqualTo(TestBatch.random(layout, rows, rows).content());
            }
            assertThat(reader.loadNextBatch()).isFalse();
        }
    }

    @Test
    void theFileIsReadFromItsStart() {
        ByteBuffer file = ByteBuffer.wrap(file());
        int at = BatchFileFormat.checkStart(layout, file, 0, file.capacity());
        assertThat(at % 64).isZero();
        for (int rows : ROWS) {
            int metadata = BatchFileFormat.metadataSize(file, at, CodecLimits.DEFAULT);
            int size = BatchFileFormat.batchSize(file, at, metadata, CodecLimits.DEFAULT);
            assertThat(size).isEqualTo(layout.encodedSize(rows));
            assertThat(layout.read(file, at, size).rows()).isEqualTo(rows);
            at += size;
        }
        assertThat(BatchFileFormat.metadataSize(file, at, CodecLimits.DEFAULT)).isZero();
    }

    @Test
    void damageIsTyped() {
        ByteBuffer file = ByteBuffer.wrap(file());
        int first = (int) blocks.get(0).offset();
        CodecLimits small = new CodecLimits(layout.metadataSize());
        assertReason(
                Reason.TOO_LARGE,
                () -> BatchFileFormat.batchSize(file, first, layout.metadataSize(), small));
        assertReason(
                Reason.TRUNCATED,
                () -> BatchFileFormat.metadataSize(file, first, new CodecLimits(64)));
        assertReason(Reason.TRUNCATED, () -> BatchFileFormat.checkStart(layout, file, 0, 7));
        assertReason(
                Reason.WRONG_SCHEMA,
                () -> BatchFileFormat.checkStart(BatchLayout.keys(), file, 0, file.capacity()));
        LittleEndian.putLong(file, first + layout.template().bodyPlace(), Long.MAX_VALUE);
        assertReason(
                Reason.TOO_LARGE,
                () ->
                        BatchFileFormat.batchSize(
                                file, first, layout.metadataSize(), CodecLimits.DEFAULT));
        file.put(0, (byte) 'B');
        assertReason(
                Reason.NOT_A_BATCH,
                () -> BatchFileFormat.checkStart(layout, file, 0, file.capacity()));
    }

    private static void assertReason(Reason reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CodecException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
