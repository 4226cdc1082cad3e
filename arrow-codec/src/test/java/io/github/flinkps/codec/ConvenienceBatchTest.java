package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ConvenienceBatchTest {
    private static final float[] VALUES = {1, 2, 3, 4, 5, 6};

    @Test
    void rangesAreReadInPlace() {
        ByteBuffer frame = RangeBatch.encode(VALUES, 2, CodecLimits.DEFAULT);
        RangeBatch batch = RangeBatch.read(100, 2, frame, 0, frame.capacity());
        assertThat(batch.firstKey()).isEqualTo(100);
        assertThat(batch.rows()).isEqualTo(3);
        float[] row = new float[4];
        batch.copyRow(1, row, 1);
        assertThat(row).containsExactly(0, 3, 4, 0);
        int place = BatchLayout.values(2).columnOffset(0, 3);
        frame.putFloat(place, 9);
        assertThat(batch.values().get(0)).isEqualTo(9);
        assertThat(batch.values().isDirect()).isTrue();
    }

    @Test
    void keysAndRowsAreReadInPlace() {
        ByteBuffer frame = KeyedBatch.encode(new long[] {7, -7}, VALUES, 3, CodecLimits.DEFAULT);
        KeyedBatch batch = KeyedBatch.read(3, frame, 0, frame.capacity());
        assertThat(batch.rows()).isEqualTo(2);
        assertThat(batch.keys().get(0)).isEqualTo(7);
        assertThat(batch.keys().get(1)).isEqualTo(-7);
        assertThat(batch.values().get(5)).isEqualTo(6);
        assertThat(batch.keys().isDirect()).isTrue();
        float[] row = new float[3];
        batch.copyRow(1, row, 0);
        assertThat(row).containsExactly(4, 5, 6);
    }

    @Test
    void nothingIsAllocatedBeyondTheCap() {
        CodecLimits limits = new CodecLimits(256);
        assertThatThrownBy(() -> RangeBatch.encode(new float[1000], 1, limits))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
        assertThatThrownBy(() -> limits.allocate(-1))
                .isInstanceOfSatisfying(
                        CodecException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.BAD_LENGTH));
    }

    @Test
    void rowsMustBeWhole() {
        assertThatThrownBy(() -> RangeBatch.encode(VALUES, 4, CodecLimits.DEFAULT))
                .hasMessage("6 values are not rows of width 4");
        assertThatThrownBy(() -> KeyedBatch.encode(new long[1], VALUES, 3, CodecLimits.DEFAULT))
                .hasMessage("1 keys for 2 rows");
    }
}
