package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueFormatTest {
    private static final int AT = 64;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** Encodes and decodes rows, each at an offset in its array. */
    private static float[] roundTrip(ValueFormat format, float[] values, long dither) {
        int rows = values.length / format.width();
        ByteBuffer frame = ByteBuffer.allocateDirect(AT + format.encodedSize(rows));
        float[] source = new float[values.length + 3];
        System.arraycopy(values, 0, source, 3, values.length);
        format.encode(source, 3, rows, dither, frame, AT);
        float[] read = new float[values.length + 2];
        Arrays.fill(read, 99);
        BatchView view = format.read(frame, AT, format.encodedSize(rows), rows);
        format.decode(frame, view, rows, read, 1);
        assertThat(read[0]).isEqualTo(99);
        assertThat(read[read.length - 1]).isEqualTo(99);
        return Arrays.copyOfRange(read, 1, read.length - 1);
    }

    private float[] gaussian(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    @ParameterizedTest
    @EnumSource
    void keepsWhatIsNotFine(ValueEncoding encoding) {
        assertThat(ValueEncoding.ofId(encoding.id())).isEqualTo(encoding);
        float[] values = {127, -2, 64, 96, 3, -25};
        assertThat(roundTrip(encoding.format(3), values, ValueFormat.NEAREST)).isEqualTo(values);
        assertThat(roundTrip(encoding.format(3), values, 5)).isEqualTo(values);
        assertThat(roundTrip(encoding.format(3), new float[0], 5)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"FP32, 3, 2, 24", "FP16, 3, 2, 12", "BF16, 3, 2, 12", "INT8, 3, 2, 68"})
    @CsvSource({"INT8, 1, 128, 136", "INT8, 1, 129, 204", "INT8, 16, 5, 100", "INT8, 15, 5, 136"})
    void hasBytesForEachValue(ValueEncoding encoding, int width, int rows, long bytes) {
        assertThat(encoding.format(width).valueBytes(rows)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 15, 16, 17, 64, 300})
    void roundsToTheNearestOf255NumbersOfItsBlock(int width) {
        int block = width < 16 ? 64 : width;
        float[] values = gaussian(width * 41);
        float[] read = roundTrip(new Int8Format(width), values, ValueFormat.NEAREST);
        for (int first = 0; first < values.length; first += block) {
            int end = Math.min(first + block, values.length);
            float longest = 0;
            for (int i = first; i < end; i++) {
                longest = Math.max(longest, Math.abs(values[i]));
            }
            float half = longest / 254;
            for (int i = first; i < end; i++) {
                assertThat(read[i]).as("seed %d", seed).isCloseTo(values[i], within(half * 1.001f));
            }
        }
    }

    /** The mean of many roundings is the value, for small values beside a long one too. */
    @Test
    void roundsByChanceWithoutBias() {
        float[] values = new float[64];
        for (int i = 0; i < 64; i++) {
            values[i] = i == 0 ? 127 : (i - 32) / 64f;
        }
        Int8Format format = new Int8Format(1);
        double[] sums = new double[64];
        int times = 20_000;
        for (int time = 1; time <= times; time++) {
            float[] read = roundTrip(format, values, time);
            for (int i = 0; i < 64; i++) {
                sums[i] += read[i];
            }
        }
        for (int i = 0; i < 64; i++) { // five standard deviations of at most .5
            assertThat(sums[i] / times).isCloseTo(values[i], within(5 * .5 / Math.sqrt(times)));
        }
        assertThat(roundTrip(format, values, 7)).isEqualTo(roundTrip(format, values, 7));
        assertThat(roundTrip(format, values, 7)).isNotEqualTo(roundTrip(format, values, 8));
    }

    /** So the number of servers does not matter to wide rows. */
    @Test
    void roundsEqualWideRowsAlikeWhereverTheyAre() {
        float[] row = gaussian(20);
        float[] two = Arrays.copyOf(gaussian(20), 40);
        System.arraycopy(row, 0, two, 20, 20);
        Int8Format format = new Int8Format(20);
        assertThat(Arrays.copyOfRange(roundTrip(format, two, 3), 20, 40))
                .as("seed %d", seed)
                .isEqualTo(roundTrip(format, row, 3));
    }

    @ParameterizedTest
    @CsvSource({"3.4028235E38, 3.4028235E38", "1E-30, 1E-30", "1E-37, 0", "0, 0", "-0.0, 0"})
    void keepsFiniteWhatIs(float longest, float expected) {
        for (long dither : new long[] {0, 1, 2, 3}) {
            float[] values = {longest, 0, longest * .7f};
            float[] read = roundTrip(new Int8Format(1), values, dither);
            assertThat(read[0]).isCloseTo(expected, within(expected * 1e-6f));
            assertThat(read[1]).isZero();
            assertThat(read[2]).isCloseTo(expected * .7f, within(expected / 126));
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void saysThatABlockIsNotFinite(float bad) {
        float[] values = gaussian(130);
        values[70] = bad;
        for (long dither : new long[] {0, 1}) {
            float[] read = roundTrip(new Int8Format(1), values, dither);
            for (int i = 0; i < 130; i++) {
                assertThat(Float.isNaN(read[i])).as("%d", i).isEqualTo(i / 64 == 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherNumberOfRows(ValueEncoding encoding) {
        ValueFormat format = encoding.format(16);
        ByteBuffer frame = ByteBuffer.allocate(format.encodedSize(3));
        format.encode(new float[48], 0, 3, 0, frame, 0);
        for (int rows : new int[] {0, 2, 4, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> format.read(frame, 0, frame.capacity(), rows))
                    .isInstanceOf(CodecException.class);
        }
    }
}
