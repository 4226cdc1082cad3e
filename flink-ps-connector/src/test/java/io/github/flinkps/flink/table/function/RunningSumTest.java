package io.github.flinkps.flink.table.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunningSumTest {
    @Test
    void leavesNothingOfTermsTakenAgain() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Double> terms = new ArrayList<>();
        RunningSum sum = new RunningSum();
        for (int i = 0; i < 10_000; i++) {
            terms.add(random.nextDouble() * Math.pow(10, random.nextInt(9) - 4));
            sum.add(1, terms.get(i));
        }
        BigDecimal exact = terms.stream().map(BigDecimal::new).reduce(BigDecimal::add).get();
        assertThat(sum.value()).as("seed %d", seed).isEqualTo(exact.doubleValue());
        Collections.shuffle(terms, random);
        RunningSum taken = new RunningSum();
        for (int i = 0; i < terms.size(); i++) {
            (i % 2 == 0 ? sum : taken).add(-1, -terms.get(i));
        }
        assertThat(sum.empty()).isFalse();
        sum.add(taken);
        assertThat(sum.empty()).as("seed %d", seed).isTrue();
        assertThat(sum.value()).isZero();
    }

    @Test
    void keepsSmallTermsBesideLargeOnes() {
        RunningSum sum = new RunningSum();
        sum.add(1, 1e16);
        for (int i = 0; i < 1_000; i++) {
            sum.add(1, 0.5);
        }
        sum.add(-1, -1e16);
        assertThat(sum.value()).isEqualTo(500);
        assertThat(sum.rows).isEqualTo(1_000);
    }
}
