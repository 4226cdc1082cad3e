package io.github.flinkps.flink.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TopRanksTest {
    @Test
    void placesAreFilledFromTheTop() {
        TopRanks top = new TopRanks(3);
        top.add(0, 1);
        top.add(1, 1); // the wrong one stands above
        top.add(0, 5);
        assertThat(top.precision()).isCloseTo(2 / 3.0, within(1e-12));
        double second = Math.log(2) / Math.log(3);
        assertThat(top.ndcg()).isCloseTo(1.5 / (1 + second + 0.5), within(1e-12));
    }

    @Test
    void fewRowsLeavePlacesEmpty() {
        TopRanks top = new TopRanks(10);
        top.add(0, 2);
        assertThat(top.precision()).isEqualTo(0.2);
        assertThat(top.ndcg()).isEqualTo(1);
    }

    @Test
    void withoutRightRowsThereIsNoGain() {
        TopRanks top = new TopRanks(2);
        top.add(3, 0);
        assertThat(top.precision()).isZero();
        assertThat(top.ndcg()).isNaN();
    }

    /** One right row among others, as the sampled measures of rankings have it. */
    @Test
    void agreesWithTheSampledMeasures() {
        float[] scores = {.5f, .9f, .5f, .1f};
        RankingMetrics sampled = new RankingMetrics(3);
        sampled.add(scores, 0, 1, 1);
        TopRanks top = new TopRanks(10);
        top.add(1, 0);
        top.add(1, 1);
        top.add(1, 0);
        assertThat(top.precision()).isEqualTo(sampled.results().get("precision@10"));
        assertThat(top.ndcg()).isCloseTo(sampled.results().get("ndcg@10"), within(1e-12));
    }
}
