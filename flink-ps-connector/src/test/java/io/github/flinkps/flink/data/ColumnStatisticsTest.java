package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ColumnStatisticsTest {
    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);

    private List<ColumnStatistics> shares(double... values) {
        List<ColumnStatistics> shares = new ArrayList<>();
        int most = 1 + random.nextInt(8);
        for (int i = 0; i < most; i++) {
            shares.add(new ColumnStatistics(i));
        }
        for (double value : values) {
            shares.get(random.nextInt(most)).add(value);
        }
        return shares;
    }

    private double[] numbers(int count, double mean, double spread) {
        return DoubleStream.generate(() -> mean + spread * random.nextDouble(-1, 1))
                .limit(count)
                .toArray();
    }

    @Test
    void constantsAreOnlyCenteredHoweverTheyAreShared() {
        for (int times = 0; times < 500; times++) {
            double value = Math.scalb(random.nextDouble(-1, 1), random.nextInt(-60, 60));
            double[] values = new double[2 + random.nextInt(3000)];
            Arrays.fill(values, value);
            NumericScale scale = ColumnStatistics.merge(shares(values)).standard(true);
            assertThat(scale.factor()).as("seed %d: %s", seed, value).isOne();
            assertThat(scale.center()).as("seed %d", seed).isEqualTo(value);
            values[0] = Math.nextUp(value);
            scale = ColumnStatistics.merge(shares(values)).standard(true);
            assertThat(scale.factor()).as("rounded, seed %d: %s", seed, value).isOne();
        }
    }

    @Test
    void aConstantThatSomeRowsLackIsNone() {
        NumberMoments merged = ColumnStatistics.merge(shares(10.04, 10.04, 10.04));
        merged.addZeros(0);
        assertThat(merged.standard(false).factor()).isOne();
        merged.addZeros(1);
        assertThat(merged.standard(false).factor())
                .isCloseTo(1 / (10.04 * Math.sqrt(3) / 4), within(1e-12));
    }

    @Test
    void meanAndDeviationAreThoseOfExactArithmetic() {
        for (int times = 0; times < 50; times++) {
            double mean = Math.scalb(random.nextDouble(-1, 1), random.nextInt(-20, 20));
            double spread = Math.abs(mean) * Math.scalb(1.0, -random.nextInt(20));
            double[] values = numbers(2 + random.nextInt(3000), mean, spread);
            BigDecimal sum = BigDecimal.ZERO;
            for (double value : values) {
                sum = sum.add(new BigDecimal(value));
            }
            BigDecimal count = BigDecimal.valueOf(values.length);
            BigDecimal exact = sum.divide(count, MathContext.DECIMAL128);
            BigDecimal squares = BigDecimal.ZERO;
            for (double value : values) {
                BigDecimal apart = new BigDecimal(value).subtract(exact);
                squares = squares.add(apart.multiply(apart));
            }
            double deviation = Math.sqrt(squares.doubleValue() / values.length);
            NumericScale scale = ColumnStatistics.merge(shares(values)).standard(true);
            assertThat(scale.center())
                    .as("seed %d", seed)
                    .isCloseTo(exact.doubleValue(), within(1e-13 * Math.abs(mean)));
            assertThat(scale.factor() * deviation).as("seed %d", seed).isCloseTo(1, within(1e-8));
        }
    }

    @Test
    void bucketsOfFewNumbersAreExact() {
        for (int times = 0; times < 200; times++) {
            int count = 1 + random.nextInt(3000);
            double[] values = random.doubles(count).map(x -> Math.floor(30 * x)).toArray();
            int buckets = 1 + random.nextInt(20);
            double[] sorted = DoubleStream.of(values).sorted().toArray();
            double[] exact =
                    DoubleStream.iterate(1, i -> i < buckets, i -> i + 1)
                            .map(i -> sorted[(int) ((long) count * i / buckets)])
                            .filter(bound -> bound > sorted[0])
                            .distinct()
                            .toArray();
            assertThat(ColumnStatistics.buckets(shares(values), buckets).bounds())
                    .as("seed %d", seed)
                    .containsExactly(DoubleStream.of(exact).boxed().toArray(Double[]::new));
        }
    }

    @Test
    void sharesOfDifferentLengthCountByTheirRows() {
        ColumnStatistics large = new ColumnStatistics(1);
        random.doubles(500_000).forEach(large::add);
        ColumnStatistics small = new ColumnStatistics(2);
        random.doubles(16_000).forEach(x -> small.add(9 + x));
        List<Double> bounds = ColumnStatistics.buckets(List.of(large, small), 2).bounds();
        assertThat(bounds).as("seed %d", seed).hasSize(1);
        assertThat(bounds.get(0)).as("seed %d", seed).isCloseTo(.516, within(.03));
    }
}
