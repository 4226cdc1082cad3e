package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Damaged frames, ours and Arrow's, end in a {@link CodecException} or in a view whose columns lie
 * within the frame. Frames stand alone in a buffer that ends with them, or amid bytes whose value
 * must not matter.
 */
class BatchFuzzTest {
    private static final int ROUNDS = 20_000;
    private static final long[] EXTREMES = {
        0,
        1,
        -1,
        7,
        8,
        63,
        64,
        127,
        255,
        256,
        65535,
        65536,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 32,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 7,
        -8,
        -64
    };

    private final ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 15);
    private final ByteBuffer ones = ByteBuffer.allocateDirect(1 << 15);
    private int refused;
    private int accepted;

    @Test
    void damagedFramesAreRefusedOrWithinBounds() {
        long seed = Long.getLong("flinkps.fuzz.seed", System.nanoTime());
        System.out.println("BatchFuzzTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < ones.capacity(); i++) {
            ones.put(i, (byte) 0xFF);
        }
        List<TestBatch> batches = new ArrayList<>();
        for (int width : new int[] {1, 3, 16}) {
            for (int rows : new int[] {0, 1, 7, 50}) {
                for (BatchLayout layout : BatchLayoutTest.layouts(width)) {
                    TestBatch batch = TestBatch.random(layout, rows, random.nextLong());
                    batches.add(batch);
                    batches.add(ArrowBridge.byArrow(batch));
                }
            }
        }
        for (int i = 0; i < ROUNDS; i++) {
            TestBatch batch = batches.get(random.nextInt(batches.size()));
            BatchLayout layout =
                    random.nextInt(8) == 0
                            ? batches.get(random.nextInt(batches.size())).layout()
                            : batch.layout();
            byte[] bytes = new byte[batch.size()];
            batch.frame().get(batch.at(), bytes);
            mutate(bytes, random);
            int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            check(layout, bytes, length);
        }
        System.out.println("BatchFuzzTest refused " + refused + ", accepted " + accepted);
        assertThat(refused).isGreaterThan(ROUNDS / 4);
        assertThat(accepted).isGreaterThan(ROUNDS / 20);
    }

    private static void mutate(byte[] bytes, Random random) {
        // Most of what can go wrong is in the metadata.
        int reach = random.nextInt(5) == 0 ? bytes.length : Math.min(bytes.length, 512);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(reach);
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            long extreme = EXTREMES[random.nextInt(EXTREMES.length)];
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> LittleEndian.putInt(buffer, at & -4, (int) extreme);
                case 2 -> {
                    if ((at & -8) + 8 <= bytes.length) {
                        LittleEndian.putLong(buffer, at & -8, extreme);
                    }
                }
                default -> bytes[at] = (byte) random.nextInt();
            }
        }
    }

    private void check(BatchLayout layout, byte[] bytes, int length) {
        // A heap buffer that ends with the frame, then direct ones that go on.
        String alone = outcome(layout, ByteBuffer.wrap(bytes, 0, length), 0, length);
        for (ByteBuffer amid : List.of(zeros, ones)) {
            byte guard = amid.get(0);
            amid.put(TestBatch.GUARD, bytes, 0, length);
            assertThat(outcome(layout, amid, TestBatch.GUARD, length)).isEqualTo(alone);
            for (int i = 0; i < length; i++) {
                if (amid.get(TestBatch.GUARD + i) != bytes[i]) {
                    throw new AssertionError("reading wrote at " + i);
                }
                amid.put(TestBatch.GUARD + i, guard);
            }
        }
    }

    /** The reason of refusal, or the view with places relative to the frame. */
    private String outcome(BatchLayout layout, ByteBuffer frame, int at, int length) {
        try {
            BatchView view = layout.read(frame, at, length);
            within(view.keyOffset(), view.keyBytes(), at, length);
            int itemBytes = view.scaleOffset() < 0 ? Float.BYTES : Byte.BYTES;
            int valueBytes = view.rows() * layout.width() * itemBytes;
            within(view.valueOffset(), valueBytes, at, length);
            within(view.scaleOffset(), view.rows() * Float.BYTES, at, length);
            for (int i = 0; i < view.slots(); i++) {
                within(view.slotOffset(i), valueBytes, at, length);
            }
            within(at, view.byteLength(), at, length);
            TestBatch.content(layout, frame, view);
            accepted++;
            return view.rows()
                    + " "
                    + view.byteLength()
                    + " "
                    + (view.keyOffset() < 0 ? -1 : view.keyOffset() - at)
                    + " "
                    + view.keyBytes()
                    + " "
                    + (view.valueOffset() < 0 ? -1 : view.valueOffset() - at);
        } catch (CodecException e) {
            refused++;
            return e.reason() + " " + e.getMessage();
        }
    }

    private static void within(int offset, int bytes, int at, int length) {
        if (offset >= 0
                && (bytes < 0 || offset < at || (long) offset + bytes > (long) at + length)) {
            throw new AssertionError(
                    bytes + " bytes at " + offset + " of a frame of " + length + " at " + at);
        }
    }

    @Test
    void damagedSchemasAreRefusedOrEqual() {
        long seed = Long.getLong("flinkps.fuzz.seed", System.nanoTime());
        System.out.println("BatchFuzzTest seed " + seed);
        Random random = new Random(seed);
        BatchLayout layout = BatchLayout.rows(16, 2);
        int wrong = 0;
        for (int i = 0; i < 10_000; i++) {
            ByteBuffer schema = layout.schemaMessage();
            byte[] bytes = new byte[schema.remaining()];
            schema.get(bytes);
            mutate(bytes, random);
            int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            ByteBuffer exact = ByteBuffer.allocateDirect(length);
            exact.put(0, bytes, 0, length);
            try {
                assertThat(layout.checkSchema(exact, 0, length)).isBetween(1, length);
            } catch (CodecException e) {
                wrong++;
            }
        }
        assertThat(wrong).isBetween(500, 9_999);
    }
}
