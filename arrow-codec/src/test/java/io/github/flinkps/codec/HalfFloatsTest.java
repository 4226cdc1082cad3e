package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HalfFloatsTest {
    private static final int ALL = 1 << 16;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void keepsEveryNumberThatThereIs() {
        for (int bits = 0; bits < ALL; bits++) {
            short half = (short) bits;
            float fp16 = HalfFloats.ofFp16(half);
            if (Float.isNaN(fp16)) {
                assertThat(HalfFloats.ofFp16(HalfFloats.toFp16(fp16))).isNaN();
            } else {
                assertThat(HalfFloats.toFp16(fp16)).isEqualTo(half);
            }
            float bf16 = HalfFloats.ofBf16(half);
            if (Float.isNaN(bf16)) {
                assertThat(HalfFloats.ofBf16(HalfFloats.toBf16(bf16))).isNaN();
            } else {
                assertThat(HalfFloats.toBf16(bf16)).isEqualTo(half);
            }
        }
    }

    @Test
    void roundsToTheNearestAndTiesToEven() {
        check(HalfFloats::toFp16, HalfFloats::ofFp16, 0x7bff);
        check(HalfFloats::toBf16, HalfFloats::ofBf16, 0x7f7f);
    }

    /** Compares with the neighbours above and below by exact arithmetic. */
    private void check(Function<Float, Short> to, Function<Short, Float> of, int largest) {
        for (int i = 0; i < 200_000; i++) {
            int low = random.nextInt(largest);
            float below = of.apply((short) low);
            float above = of.apply((short) (low + 1));
            float middle = (float) (((double) below + above) / 2);
            float value =
                    switch (random.nextInt(4)) {
                        case 0 -> middle;
                        case 1 -> Math.nextUp(middle);
                        case 2 -> Math.nextDown(middle);
                        default -> below + (above - below) * random.nextFloat();
                    };
            BigDecimal fromBelow = new BigDecimal(value).subtract(new BigDecimal(below));
            BigDecimal toAbove = new BigDecimal(above).subtract(new BigDecimal(value));
            int side = fromBelow.compareTo(toAbove);
            int expected = side < 0 ? low : side > 0 ? low + 1 : low + (low & 1);
            assertThat(to.apply(value)).as("%s, seed %d", value, seed).isEqualTo((short) expected);
            assertThat(of.apply(to.apply(-value))).isEqualTo(-of.apply(to.apply(value)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "65504, 65504, 65536",
        "65519.996, 65504, 65536",
        "65520, 65504, 65536",
        "3.4028235E38, 65504, 3.3895314E38",
        "-1E30, -65504, -1.00025555E30",
        "Infinity, Infinity, Infinity",
        "-Infinity, -Infinity, -Infinity",
        "NaN, NaN, NaN"
    })
    void keepsFiniteWhatIs(float value, float fp16, float bf16) {
        assertThat(HalfFloats.ofFp16(HalfFloats.toFp16(value))).isEqualTo(Float.valueOf(fp16));
        assertThat(HalfFloats.ofBf16(HalfFloats.toBf16(value))).isEqualTo(Float.valueOf(bf16));
    }
}
