package io.github.flinkps.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogBudgetTest {
    private long now = -5;

    @Test
    void eachMinuteHasItsLines() {
        LogBudget budget = new LogBudget(2, () -> now);
        assertThat(budget.take()).isTrue();
        assertThat(budget.take()).isTrue();
        assertThat(budget.take()).isFalse();
        now += TimeUnit.MINUTES.toNanos(1) - 1;
        assertThat(budget.take()).isFalse();
        now++;
        assertThat(budget.take()).isTrue();
        assertThat(budget.take()).isTrue();
        assertThat(budget.take()).isFalse();
    }
}
