package io.github.flinkps.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RowInitializerTest {
    private static final int ROWS = 20_000;
    private static final int WIDTH = 8;

    private static double[] moments(RowInitializer initializer) {
        float[] row = new float[WIDTH];
        double sum = 0;
        double squares = 0;
        double least = Double.MAX_VALUE;
        double most = -Double.MAX_VALUE;
        for (int key = 0; key < ROWS; key++) {
            initializer.fill(key, row, 0, WIDTH);
            for (float value : row) {
                sum += value;
                squares += (double) value * value;
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        double mean = sum / (ROWS * WIDTH);
        return new double[] {mean, squares / (ROWS * WIDTH) - mean * mean, least, most};
    }

    @Test
    void uniformHasItsMeanVarianceAndBounds() {
        double[] moments = moments(new RowInitializer(InitializerSpec.uniform(-1, 3), 5, "t"));
        // five deviations of the estimates over 160 000 values
        assertThat(moments[0]).isCloseTo(1, within(5 * Math.sqrt(16 / 12.0 / 160_000)));
        assertThat(moments[1]).isCloseTo(16 / 12.0, within(0.02));
        assertThat(moments[2]).isBetween(-1.0, -0.999);
        assertThat(moments[3]).isBetween(2.999, Math.nextDown(3.0));
    }

    @Test
    void normalHasItsMeanAndVariance() {
        double[] moments = moments(new RowInitializer(InitializerSpec.normal(2, 0.5f), 5, "t"));
        assertThat(moments[0]).isCloseTo(2, within(5 * 0.5 / 400));
        assertThat(moments[1]).isCloseTo(0.25, within(0.25 * 5 * Math.sqrt(2.0 / 160_000)));
        assertThat(moments[2]).isLessThan(2 - 0.5 * 3.5);
        assertThat(moments[3]).isGreaterThan(2 + 0.5 * 3.5);
    }

    @Test
    void valuesDependOnSeedTableKeyAndColumnOnly() {
        RowInitializer initializer = new RowInitializer(InitializerSpec.normal(0, 1), 1, "t");
        float[] row = new float[6];
        initializer.fill(42, row, 2, 4);
        for (int c = 0; c < 4; c++) {
            assertThat(initializer.value(42, c)).isEqualTo(row[2 + c]);
        }
        assertThat(row[0]).isZero();
        assertThat(new RowInitializer(InitializerSpec.normal(0, 1), 1, "t").value(42, 3))
                .isEqualTo(row[5]);
        assertThat(new RowInitializer(InitializerSpec.normal(0, 1), 2, "t").value(42, 3))
                .isNotEqualTo(row[5]);
        assertThat(new RowInitializer(InitializerSpec.normal(0, 1), 1, "u").value(42, 3))
                .isNotEqualTo(row[5]);
        assertThat(initializer.value(43, 3)).isNotEqualTo(row[5]);
        assertThat(row[4]).isNotEqualTo(row[5]);
    }

    /** The numbers come from another program, by the formula in the Javadoc. */
    @Test
    void valuesAreThoseOfTheModelFormat() {
        RowInitializer uniform = new RowInitializer(InitializerSpec.uniform(0, 1), 7, "weights");
        RowInitializer normal = new RowInitializer(InitializerSpec.normal(0, 1), 7, "weights");
        assertThat(uniform.value(0, 0)).isEqualTo(0.64961135f);
        assertThat(uniform.value(-5, 3)).isEqualTo(0.4992414f);
        assertThat(normal.value(0, 0)).isEqualTo(0.83698136f);
        assertThat(normal.value(1L << 40, 4095)).isEqualTo(-0.23603651f);
    }

    @Test
    void zeroAndConstantNeedNoKey() {
        assertThat(new RowInitializer(InitializerSpec.zero(), 1, "t").isZero()).isTrue();
        RowInitializer constant = new RowInitializer(InitializerSpec.constant(1.5f), 1, "t");
        assertThat(constant.isZero()).isFalse();
        assertThat(constant.dependsOnKey()).isFalse();
        assertThat(constant.value(9, 9)).isEqualTo(1.5f);
        RowInitializer point = new RowInitializer(InitializerSpec.uniform(2, 2), 1, "t");
        assertThat(point.value(3, 0)).isEqualTo(2f);
    }
}
