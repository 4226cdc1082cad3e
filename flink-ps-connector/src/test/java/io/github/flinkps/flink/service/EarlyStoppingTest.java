package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.service.EarlyStopping.Verdict;
import io.github.flinkps.flink.service.PassBarriers.Measured;
import org.junit.jupiter.api.Test;

class EarlyStoppingTest {
    private static EarlyStopping stopping(int patience, int epochs) {
        return new EarlyStopping(new ValidationSpec(0.1, patience, epochs));
    }

    private static Measured loss(double loss) {
        return new Measured(8 * loss, 8, 4);
    }

    @Test
    void endsAfterSoManyPassesWithoutALowerLoss() {
        EarlyStopping stopping = stopping(2, 100);
        assertThat(stopping.add(loss(0.5))).isEqualTo(new Verdict(0, 0.5, 0, false));
        assertThat(stopping.add(loss(0.6))).isEqualTo(new Verdict(1, 0.6, 0, false));
        Verdict better = stopping.add(loss(0.4));
        assertThat(better).isEqualTo(new Verdict(2, 0.4, 2, false));
        assertThat(better.best()).isTrue();
        Verdict same = stopping.add(loss(0.4));
        assertThat(same).as("not lower").isEqualTo(new Verdict(3, 0.4, 2, false));
        assertThat(same.best()).isFalse();
        assertThat(stopping.add(loss(0.41))).isEqualTo(new Verdict(4, 0.41, 2, true));
    }

    @Test
    void endsWithTheLastPass() {
        EarlyStopping stopping = stopping(Integer.MAX_VALUE, 2);
        assertThat(stopping.add(loss(0.5)).last()).isFalse();
        assertThat(stopping.add(loss(0.4))).isEqualTo(new Verdict(1, 0.4, 1, true));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> stopping(1, 1).add(new Measured(0, 0, 0)))
                .hasMessageContaining("validation-share leaves no row");
        assertThatThrownBy(() -> stopping(1, 1).add(new Measured(0, 0, 7)))
                .hasMessageContaining("all 7 validation rows have weight 0");
    }
}
