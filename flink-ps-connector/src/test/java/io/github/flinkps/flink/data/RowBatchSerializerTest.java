package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class RowBatchSerializerTest {
    private final TypeSerializer<RowBatch> serializer =
            RowBatchTypeInfo.INSTANCE.createSerializer(new SerializerConfigImpl());

    private byte[] bytes(RowBatch batch) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        serializer.serialize(batch, out);
        return out.getCopyOfBuffer();
    }

    private RowBatch batch(byte[] bytes) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        RowBatch batch = serializer.deserialize(in);
        assertThat(in.available()).isZero();
        return batch;
    }

    @Test
    void readsWhatItWrote() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int rows : new int[] {0, 1, 2, 63, 1000, 20_000}) {
            for (int round = 0; round < 6; round++) {
                RowBatch batch = RowBatchTest.random(random, rows);
                byte[] bytes = bytes(batch);
                assertThat(batch(bytes)).as("seed %d", seed).isEqualTo(batch);
                DataOutputSerializer copied = new DataOutputSerializer(16);
                serializer.copy(new DataInputDeserializer(bytes), copied);
                assertThat(copied.getCopyOfBuffer()).as("seed %d", seed).isEqualTo(bytes);
            }
        }
    }

    @Test
    void keepsSkippedRowsAndTheTimeOfReading() throws IOException {
        RowBatchBuilder builder = new RowBatchBuilder().began(1234567890123L);
        builder.addSkipped(5);
        RowBatch batch = batch(bytes(builder.build()));
        assertThat(batch.skippedRows()).isEqualTo(5);
        assertThat(batch.readMillis()).isEqualTo(1234567890123L);
        assertThat(builder.build().readMillis()).isZero();
    }

    @Test
    void refusesDamagedBytesBeforeAllocating() throws IOException {
        byte[] good = bytes(RowBatchTest.random(new Random(1), 10));
        assertDamaged(changed(good, 1, Integer.MAX_VALUE));
        assertDamaged(changed(good, 1, -1));
        assertDamaged(changed(good, 5, Integer.MAX_VALUE));
        assertDamaged(changed(good, 5, -5));
        assertDamaged(changed(good, 17, -1));
        byte[] flags = good.clone();
        flags[0] = 8;
        assertDamaged(flags);
        for (int length = 0; length < good.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(good, length);
            assertThatThrownBy(() -> batch(cut)).isInstanceOf(IOException.class);
        }
    }

    private static byte[] changed(byte[] good, int at, int value) {
        byte[] bytes = good.clone();
        ByteBuffer.wrap(bytes).putInt(at, value);
        return bytes;
    }

    private void assertDamaged(byte[] bytes) {
        assertThatThrownBy(() -> batch(bytes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
    }

    @Test
    void comesBackFromItsSnapshot() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
        TypeSerializerSnapshot<RowBatch> restored =
                TypeSerializerSnapshot.readVersionedSnapshot(
                        new DataInputDeserializer(out.getCopyOfBuffer()),
                        getClass().getClassLoader());
        assertThat(restored.restoreSerializer()).isEqualTo(serializer);
        assertThat(
                        serializer
                                .snapshotConfiguration()
                                .resolveSchemaCompatibility(restored)
                                .isCompatibleAsIs())
                .isTrue();
        assertThatThrownBy(() -> restored.readSnapshot(99, new DataInputDeserializer(), null))
                .hasMessageContaining("newer release");
    }

    @Test
    void duplicatesHaveTheirOwnScratchSpace() {
        assertThat(serializer.duplicate()).isEqualTo(serializer).isNotSameAs(serializer);
        assertThat(serializer.isImmutableType()).isTrue();
    }
}
