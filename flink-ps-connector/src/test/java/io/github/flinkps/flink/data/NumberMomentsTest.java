package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class NumberMomentsTest {
    private static final int ROWS = 20_000;

    private final Random random = new Random(7);

    private NumericScale ofColumn(DoubleSupplier numbers) {
        NumberMoments plain = new NumberMoments();
        NumberMoments logs = new NumberMoments();
        for (int i = 0; i < ROWS; i++) {
            double value = numbers.getAsDouble();
            plain.add(value);
            logs.addLog(value);
        }
        return plain.ofColumn(logs);
    }

    /** Numbers of ordinary distributions stay numbers, and so do those of few values. */
    @Test
    void ordinaryNumbersAreCenteredAndScaled() {
        NumericScale normal = ofColumn(() -> 1000 + 3 * random.nextGaussian());
        assertThat(normal.transform()).isEqualTo(NumericTransform.STANDARD);
        assertThat(normal.apply(1003)).isCloseTo(1, within(.1f));
        assertThat(ofColumn(random::nextDouble).transform()).isEqualTo(NumericTransform.STANDARD);
        assertThat(ofColumn(() -> -Math.log(1 - random.nextDouble())).transform())
                .as("exponential")
                .isEqualTo(NumericTransform.STANDARD);
        assertThat(ofColumn(() -> random.nextInt(5000) == 0 ? 1 : 0).transform())
                .as("a rare one is as rare in logarithms")
                .isEqualTo(NumericTransform.STANDARD);
        assertThat(ofColumn(() -> 10.04)).isEqualTo(ofColumn(() -> 10.04));
        assertThat(ofColumn(() -> 10.04).factor()).isOne();
    }

    /** Of counts and amounts a few are so large that all others would be alike. */
    @Test
    void ofNumbersWithAHeavyTailLogarithmsAre() {
        NumericScale amounts = ofColumn(() -> Math.exp(3 * random.nextGaussian()));
        assertThat(amounts.transform()).isEqualTo(NumericTransform.LOG);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < ROWS; i++) {
            double scaled = amounts.apply(Math.exp(3 * random.nextGaussian()));
            sum += scaled;
            squares += scaled * scaled;
        }
        assertThat(sum / ROWS).isCloseTo(0, within(.05));
        assertThat(squares / ROWS).isCloseTo(1, within(.05));
        double sign = -1;
        assertThat(ofColumn(() -> sign * Math.exp(3 * random.nextGaussian())).transform())
                .as("below 0 too")
                .isEqualTo(NumericTransform.LOG);
    }

    @Test
    void theScaleOfASqlOptionIsThatOfItsText() {
        NumericScale scale = new NumericScale(NumericTransform.LOG, 1.5, .5, List.of());
        assertThat(scale.text()).isEqualTo("log(1.5, 2.0)");
        assertThat(scale.apply(Math.expm1(3.5))).isEqualTo(1);
        assertThat(scale.apply(-Math.expm1(2.5))).isEqualTo(-2);
        assertThat(NumericScale.LOG.apply(Math.expm1(2))).isEqualTo(2);
    }
}
