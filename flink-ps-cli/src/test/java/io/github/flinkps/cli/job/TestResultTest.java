package io.github.flinkps.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestResultTest {
    private static List<String> failed(double loss, double constant) {
        Map<String, Double> constants = Map.of("logloss", constant);
        Map<String, Double> measures = Map.of("logloss", loss, "auc", .1);
        return new TestResult(9, 0, measures, constants, List.of(), Map.of()).failed();
    }

    @Test
    void aModelFailsWhereAConstantIsBetter() {
        assertThat(failed(.7, .6)).containsExactly("logloss");
        assertThat(failed(.6, .6)).isEmpty();
        assertThat(failed(.5, .6)).isEmpty();
        assertThat(failed(Double.NaN, Double.NaN)).isEmpty();
        assertThat(failed(.01, 0)).as("all rows have one label").isEmpty();
    }
}
