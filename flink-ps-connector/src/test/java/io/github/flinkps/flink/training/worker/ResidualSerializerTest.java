package io.github.flinkps.flink.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.Residual;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class ResidualSerializerTest {
    private final ResidualSerializer serializer = new ResidualSerializer();

    private static Residual residual(int rows, int width) {
        float[] values = new float[(rows + 3) * width];
        for (int i = 0; i < values.length; i++) {
            values[i] = i / 8f;
        }
        long[] keys = LongStream.range(0, rows + 3).map(key -> key * -977).toArray();
        return new Residual("weights", width, rows, keys, values);
    }

    private static byte[] bytes(Residual part, ResidualSerializer with) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        with.serialize(part, out);
        return out.getCopyOfBuffer();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (int rows : new int[] {0, 1, 4096, 10_000}) {
            Residual part = residual(rows, 3);
            byte[] bytes = bytes(part, serializer);
            DataOutputSerializer copied = new DataOutputSerializer(64);
            serializer.copy(new DataInputDeserializer(bytes), copied);
            assertThat(copied.getCopyOfBuffer()).isEqualTo(bytes);
            Residual read = serializer.deserialize(new DataInputDeserializer(bytes));
            assertThat(read.table()).isEqualTo("weights");
            assertThat(read.width()).isEqualTo(3);
            assertThat(read.rows()).isEqualTo(rows);
            assertThat(read.keys()).isEqualTo(Arrays.copyOf(part.keys(), rows));
            assertThat(read.values()).isEqualTo(Arrays.copyOf(part.values(), 3 * rows));
        }
    }

    /** A barrier costs no copy: what was given out is not changed. */
    @Test
    void aCopyIsTheSame() {
        Residual part = residual(5, 1);
        assertThat(serializer.copy(part)).isSameAs(part);
        assertThat(serializer.isImmutableType()).isTrue();
    }

    @Test
    void damageIsRefused() throws IOException {
        byte[] bytes = bytes(residual(7, 2), serializer);
        bytes[2 + "weights".length()] = -1; // the width
        assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
    }
}
