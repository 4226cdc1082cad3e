package io.github.flinkps.flink.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RankingMetricsTest {
    @Test
    void ranksTheRightOneAmongCandidates() {
        RankingMetrics metrics = new RankingMetrics(4);
        metrics.add(new float[] {9, 3, 4, 2, 1, 0}, 1, 1, 1);
        assertThat(metrics.results().get("auc")).isCloseTo(0.75, within(1e-12));
        assertThat(metrics.results().get("hit@10")).isEqualTo(1);
        assertThat(metrics.results().get("precision@10")).isEqualTo(0.1);
        assertThat(metrics.results().get("ndcg@10"))
                .isCloseTo(1 / (Math.log(3) / Math.log(2)), within(1e-12));
        metrics.add(new float[] {5, 4, 2, 1, 0}, 0, 1, 3);
        assertThat(metrics.results().get("auc")).isCloseTo((0.75 + 3) / 4, within(1e-12));
        assertThat(metrics.rows()).isEqualTo(2);
        assertThatThrownBy(() -> metrics.add(new float[] {Float.NaN, 0, 0, 0, 0}, 0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tiesAreNoHits() {
        RankingMetrics metrics = new RankingMetrics(20);
        metrics.add(new float[21], 0, 1, 1);
        assertThat(metrics.results().get("auc")).isEqualTo(0.5);
        assertThat(metrics.results().get("hit@10")).isZero();
        assertThat(metrics.results().get("precision@10")).isZero();
        assertThat(metrics.results().get("ndcg@10")).isZero();
    }

    @Test
    void pairsAreCountedByWeight() {
        PairMetrics metrics = new PairMetrics();
        metrics.add(new float[] {6, 2, 3, 4}, 0, 0, 1);
        metrics.add(new float[] {1, 1, 0, 2}, 0, 0, 2);
        assertThat(metrics.results().get("pair-loss")).isEqualTo(8 / 4.0);
        assertThat(metrics.results().get("pair-accuracy")).isEqualTo(3 / 8.0);
    }
}
