package io.github.flinkps.harness.bench;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.PsException;
import org.junit.jupiter.api.Test;

class ValuesTest {
    @Test
    void aMissingPushAndAWrongValueAreFound() {
        float[] values = Values.gradients(10, 3);
        for (int i = 0; i < values.length; i++) {
            values[i] *= (float) (-7 * Values.RATE);
        }
        Values.check("t", values, 10, 3, 7);
        assertThatThrownBy(() -> Values.check("t", values, 10, 3, 8))
                .isInstanceOf(PsException.class)
                .hasMessageContaining("'t'");
        values[29] = 0;
        assertThatThrownBy(() -> Values.check("t", values, 10, 3, 7))
                .hasMessageContaining("value 29");
    }
}
