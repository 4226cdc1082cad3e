package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** One damage, one reason. */
class MalformedBatchTest {
    private final BatchLayout layout = BatchLayout.keysAndValues(3);
    private final TestBatch batch = TestBatch.random(layout, 10, 1);
    private final ByteBuffer frame = batch.frame();
    private final int at = batch.at();

    private void assertReason(Reason reason) {
        assertReason(reason, batch.size());
    }

    private void assertReason(Reason reason, int length) {
        assertThatThrownBy(() -> layout.read(frame, at, length))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }

    private void patch(int place, long value) {
        LittleEndian.putLong(frame, at + place, value);
    }

    @Test
    void truncated() {
        assertReason(Reason.TRUNCATED, 0);
        assertReason(Reason.TRUNCATED, 7);
        assertReason(Reason.TRUNCATED, layout.metadataSize() - 1);
        assertReason(Reason.TRUNCATED, batch.size() - 1);
    }

    @Test
    void notABatch() {
        frame.put(at, (byte) 0);
        assertReason(Reason.NOT_A_BATCH);
        LittleEndian.putInt(frame, at, -1);
        LittleEndian.putInt(frame, at + 4, 0);
        assertReason(Reason.NOT_A_BATCH);
        ByteBuffer schema = layout.schemaMessage();
        assertThatThrownBy(() -> layout.read(schema, 0, schema.remaining()))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.NOT_A_BATCH));
    }

    @Test
    void badPrefix() {
        LittleEndian.putInt(frame, at + 4, -8);
        assertReason(Reason.BAD_LENGTH);
        LittleEndian.putInt(frame, at + 4, Integer.MAX_VALUE);
        assertReason(Reason.TRUNCATED);
        LittleEndian.putInt(frame, at + 4, 44);
        assertReason(Reason.MISALIGNED);
        LittleEndian.putInt(frame, at + 4, 16);
        assertReason(Reason.BAD_METADATA);
    }

    @Test
    void badMetadata() {
        LittleEndian.putInt(frame, at + 8, -1);
        assertReason(Reason.BAD_METADATA);
    }

    @Test
    void wrongSchema() {
        assertThatThrownBy(() -> BatchLayout.values(3).read(frame, at, batch.size()))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.WRONG_SCHEMA));
        assertThatThrownBy(() -> BatchLayout.keysAndValues(4).read(frame, at, batch.size()))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.BAD_LENGTH));
    }

    @Test
    void badRows() {
        int place = layout.template().rowsPlace();
        patch(place, -1);
        assertReason(Reason.BAD_LENGTH);
        patch(place, 1L << 31);
        assertReason(Reason.TOO_LARGE);
        patch(place, 11);
        assertReason(Reason.BAD_LENGTH);
    }

    @Test
    void badBody() {
        int place = layout.template().bodyPlace();
        patch(place, -64);
        assertReason(Reason.BAD_LENGTH);
        patch(place, Long.MAX_VALUE);
        assertReason(Reason.TRUNCATED);
        patch(place, 64);
        assertReason(Reason.BAD_OFFSET);
    }

    @Test
    void badBuffers() {
        BatchTemplate template = layout.template();
        patch(template.lengthPlace(0), 79);
        assertReason(Reason.BAD_LENGTH);
        patch(template.lengthPlace(0), Long.MAX_VALUE);
        assertReason(Reason.BAD_OFFSET);
        patch(template.lengthPlace(0), 80);
        patch(template.offsetPlace(1), -8);
        assertReason(Reason.BAD_OFFSET);
        patch(template.offsetPlace(1), Long.MAX_VALUE);
        assertReason(Reason.BAD_OFFSET);
        patch(template.offsetPlace(1), 124);
        assertReason(Reason.MISALIGNED);
        patch(template.offsetPlace(1), 120);
        assertThat(layout.read(frame, at, batch.size()).valueOffset())
                .isEqualTo(at + layout.metadataSize() + 120);
    }

    @Test
    void nulls() {
        patch(layout.template().nodePlace(0) + Long.BYTES, 1);
        assertReason(Reason.NULLS);
        patch(layout.template().nodePlace(0) + Long.BYTES, -1);
        assertReason(Reason.NULLS);
    }

    @Test
    void badEncodedKeys() {
        BatchLayout encoded = BatchLayout.encodedKeys();
        TestBatch keys = TestBatch.random(encoded, 100, 2);
        int offsets = keys.at() + encoded.metadataSize();
        for (int[] bad :
                new int[][] {{-1, 100}, {0, 101}, {50, 40}, {0, -1}, {0, Integer.MAX_VALUE}}) {
            LittleEndian.putInt(keys.frame(), offsets, bad[0]);
            LittleEndian.putInt(keys.frame(), offsets + 4, bad[1]);
            assertThatThrownBy(() -> encoded.read(keys.frame(), keys.at(), keys.size()))
                    .isInstanceOfSatisfying(
                            CodecException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.BAD_OFFSET));
        }
        LittleEndian.putInt(keys.frame(), offsets, 10);
        LittleEndian.putInt(keys.frame(), offsets + 4, 30);
        BatchView view = encoded.read(keys.frame(), keys.at(), keys.size());
        assertThat(view.keyBytes()).isEqualTo(20);
        assertThat(view.keyOffset()).isEqualTo(keys.at() + encoded.columnOffset(0, 100) + 10);
    }

    @Test
    void placesOutsideTheBufferAreTheCallersMistake() {
        assertThatThrownBy(() -> layout.read(frame, 0, frame.capacity() + 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> layout.read(frame, -1, 10))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> layout.writeMetadata(ByteBuffer.allocate(300), 0, 10))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatCannotBeABufferIsTooLarge() {
        assertThatThrownBy(() -> BatchLayout.values(4096).encodedSize(1 << 20))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
        assertThatThrownBy(() -> BatchLayout.keys().encodedSize(Long.MAX_VALUE))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
        assertThatThrownBy(() -> BatchLayout.keys().encodedSize(-1))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.BAD_LENGTH));
        assertThatThrownBy(() -> BatchLayout.values(0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ValueEncoding.ofId(99))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ENCODING));
        assertThat(ValueEncoding.ofId(0)).isEqualTo(ValueEncoding.FP32);
        assertThat(KeyEncoding.ofId(1)).isEqualTo(KeyEncoding.DELTA);
    }
}
