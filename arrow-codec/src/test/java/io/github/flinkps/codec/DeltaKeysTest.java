package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeltaKeysTest {
    private static final int GUARD = 64;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 17, 20, 24, 32, 48, 63, 64})
    void whatIsEncodedIsDecoded(int bits) {
        long seed = System.nanoTime();
        System.out.println("DeltaKeysTest seed " + seed);
        Random random = new Random(seed);
        for (int wanted : new int[] {0, 1, 2, 3, 8, 9, 10, 16, 17, 63, 312, 5000}) {
            long[] keys = randomKeys(random, wanted, bits);
            roundTrip(keys, 64 - bits);
        }
    }

    @Test
    void extremesAreKept() {
        roundTrip(new long[] {0, -1}, 0);
        roundTrip(new long[] {-1}, 0);
        roundTrip(new long[] {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -2, -1}, 0);
        roundTrip(new long[] {0, Long.MIN_VALUE}, 63);
        long[] mixed = new long[200];
        for (int i = 1; i < mixed.length; i++) {
            mixed[i] = mixed[i - 1] + (1L << (i % 56));
        }
        roundTrip(mixed, 0);
    }

    /** Encodes between guards, decodes, and compares. */
    private static void roundTrip(long[] keys, int shift) {
        int size = DeltaKeys.size(keys, 0, keys.length, shift);
        assertThat((long) size).isLessThanOrEqualTo(DeltaKeys.maxSize(keys.length));
        ByteBuffer frame = ByteBuffer.allocateDirect(size + 2 * GUARD);
        for (int i = 0; i < frame.capacity(); i++) {
            frame.put(i, TestBatch.GUARD_BYTE);
        }
        assertThat(DeltaKeys.encode(keys, 0, keys.length, shift, frame, GUARD)).isEqualTo(size);
        for (int i = 0; i < GUARD; i++) {
            assertThat(frame.get(i)).isEqualTo(TestBatch.GUARD_BYTE);
            assertThat(frame.get(GUARD + size + i)).isEqualTo(TestBatch.GUARD_BYTE);
        }
        long[] decoded = new long[keys.length + 2];
        int count = DeltaKeys.checkCount(keys.length, size, shift, CodecLimits.DEFAULT);
        DeltaKeys.decode(frame, GUARD, size, count, shift, decoded, 1);
        assertThat(Arrays.copyOfRange(decoded, 1, keys.length + 1)).isEqualTo(keys);
        assertThat(decoded[0]).isZero();
        assertThat(decoded[keys.length + 1]).isZero();
    }

    /**
     * Returns at most {@code wanted} different keys of a space of that many bits, as hashes:
     * ascending, in the top bits.
     */
    static long[] randomKeys(Random random, int wanted, int bits) {
        int shift = 64 - bits;
        return random.longs(wanted)
                .map(key -> key >>> shift)
                .distinct()
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(key -> key << shift)
                .toArray();
    }

    @Test
    void keysOfASmallSpaceTakeLittleMoreThanAByte() {
        long[] keys = randomKeys(new Random(7), 20_000, 20);
        double bytes = (double) DeltaKeys.size(keys, 0, keys.length, 44) / keys.length;
        assertThat(bytes).isBetween(1.0, 1.15);
        long[] all = new long[1000];
        Arrays.setAll(all, i -> (long) i << 50);
        assertThat(DeltaKeys.size(all, 0, all.length, 50)).isEqualTo(2 + 2 + 125);
    }

    @Test
    void onlyAscendingKeysAreEncoded() {
        assertThatThrownBy(() -> DeltaKeys.size(new long[] {1, 1}, 0, 2, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DeltaKeys.size(new long[] {-1, 0}, 0, 2, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DeltaKeys.size(new long[] {-1, -1}, 0, 2, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DeltaKeys.size(new long[] {1L << 43}, 0, 1, 44))
                .isInstanceOf(IllegalArgumentException.class);
        ByteBuffer small = ByteBuffer.allocateDirect(4);
        assertThatThrownBy(() -> DeltaKeys.encode(new long[] {1, 2, 3}, 0, 3, 0, small, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void damageIsTyped() {
        long[] keys = randomKeys(new Random(8), 1000, 20);
        int size = DeltaKeys.size(keys, 0, keys.length, 44);
        ByteBuffer frame = ByteBuffer.allocateDirect(size);
        DeltaKeys.encode(keys, 0, keys.length, 44, frame, 0);
        long[] target = new long[2 * keys.length];
        assertReason(
                Reason.TRUNCATED,
                () -> DeltaKeys.decode(frame, 0, size - 1, keys.length, 44, target));
        assertReason(Reason.BAD_LENGTH, () -> DeltaKeys.decode(frame, 0, size, 0, 44, target));
        assertReason(
                Reason.BAD_LENGTH, () -> DeltaKeys.decode(frame, 0, 3, keys.length, 44, target));
        assertReason(
                Reason.BAD_LENGTH,
                () -> DeltaKeys.checkCount(Long.MAX_VALUE, size, 44, CodecLimits.DEFAULT));
        assertReason(
                Reason.BAD_LENGTH, () -> DeltaKeys.checkCount(-1, size, 44, CodecLimits.DEFAULT));
        assertReason(
                Reason.TOO_LARGE,
                () -> DeltaKeys.checkCount(1000, size, 44, new CodecLimits(7999)));
        frame.put(2, (byte) 0xFF).put(3, (byte) 0xFF).put(4, (byte) 0xFF);
        assertReason(
                Reason.BAD_KEYS, () -> DeltaKeys.decode(frame, 0, size, keys.length, 44, target));
        frame.put(0, (byte) 0x9F);
        assertReason(
                Reason.BAD_METADATA,
                () -> DeltaKeys.decode(frame, 0, size, keys.length, 44, target));
    }

    @Test
    void wrappedKeysAreRefused() {
        ByteBuffer frame = ByteBuffer.allocateDirect(32);
        int size = DeltaKeys.encode(new long[] {5, -1}, 0, 2, 0, frame, 0);
        frame.put(2, (byte) 6);
        long[] target = new long[2];
        assertReason(Reason.BAD_KEYS, () -> DeltaKeys.decode(frame, 0, size, 2, 0, target));
    }

    private static void assertReason(Reason reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CodecException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    /** Damaged lists decode to ascending keys within their space or are refused; nothing else. */
    @Test
    void damagedListsAreRefusedOrValid() {
        long seed = System.nanoTime();
        System.out.println("DeltaKeysTest seed " + seed);
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < 30_000; round++) {
            int bits = 1 + random.nextInt(64);
            long[] keys = randomKeys(random, 1 + random.nextInt(60), bits);
            int size = DeltaKeys.size(keys, 0, keys.length, 64 - bits);
            ByteBuffer frame = ByteBuffer.allocate(size);
            DeltaKeys.encode(keys, 0, keys.length, 64 - bits, frame, 0);
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(size);
                frame.put(at, (byte) (frame.get(at) ^ 1 << random.nextInt(8)));
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(size + 1) : size;
            int count = random.nextInt(4) == 0 ? random.nextInt(100) : keys.length;
            long[] target = new long[count];
            try {
                DeltaKeys.decode(frame, 0, length, count, 64 - bits, target);
                DeltaKeys.size(target, 0, count, 64 - bits);
            } catch (CodecException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1_000, 29_999);
    }
}
