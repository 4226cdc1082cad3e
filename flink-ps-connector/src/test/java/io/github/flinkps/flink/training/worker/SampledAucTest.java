package io.github.flinkps.flink.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.PlannedBatch;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Uses a clock that moves when the model scores. */
class SampledAucTest {
    private static final long MILLI = 1_000_000;

    private long now;
    private int scored;
    private Runnable beforeScore = () -> {};

    /** Knows every label. */
    private final class Oracle implements TrainingModel {
        private static final long serialVersionUID = 1L;
        private final Labels labels;
        private final long scoreNanos;

        Oracle(Labels labels, long scoreNanos) {
            this.labels = labels;
            this.scoreNanos = scoreNanos;
        }

        @Override
        public String name() {
            return "oracle";
        }

        @Override
        public Map<String, String> options() {
            return Map.of();
        }

        @Override
        public List<TableSpec> tables() {
            return List.of();
        }

        @Override
        public Labels labels() {
            return labels;
        }

        @Override
        public void touch(RowBatch rows, int from, int to, KeyCollector keys) {}

        @Override
        public double gradients(
                RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
            return 0;
        }

        @Override
        public void score(
                RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
            scored++;
            beforeScore.run();
            now += scoreNanos;
            System.arraycopy(rows.labels(), from, scores, at, to - from);
        }
    }

    private static PulledBatch batch(int rows) {
        return batch(rows, 0);
    }

    private static PulledBatch batch(int rows, int epoch) {
        PulledBatch pulled = new PulledBatch(List.of());
        RowBatch batch = TestingRows.batch(1, rows, 10);
        pulled.assign(new PlannedBatch(new MiniBatch(batch, 0, rows), epoch, 0));
        return pulled;
    }

    @Test
    void spendsAFiftiethOfTheTimeOnceAFreeWhileIsOver() {
        long score = MILLI / 2;
        SampledAuc auc = new SampledAuc(new Oracle(Labels.BINARY, score), () -> now);
        PulledBatch pulled = batch(64);
        for (int i = 0; i < 10_000; i++) {
            auc.beforeTraining(pulled);
            now += MILLI;
        }
        long budget = SampledAuc.FREE_MILLIS * MILLI + (long) (SampledAuc.SHARE * now);
        assertThat(auc.spentNanos()).isEqualTo((scored - 1) * score);
        assertThat(auc.spentNanos()).isBetween(budget - 2 * score, budget);
        auc.rank(0, false);
        assertThat(auc.auc()).isEqualTo(1);
        assertThat(auc.rows()).isEqualTo(SampledAuc.KEPT_ROWS);
        assertThat(auc.pairs()).isPositive();
    }

    @Test
    void scoresWhatIsCheapEachTime() {
        SampledAuc auc = new SampledAuc(new Oracle(Labels.BINARY, MILLI / 100), () -> now);
        PulledBatch pulled = batch(10);
        for (int i = 0; i < 500; i++) {
            auc.beforeTraining(pulled);
            now += MILLI;
        }
        assertThat(scored).isEqualTo(500);
    }

    @Test
    void waitsWithALargeMiniBatchUntilItKnowsWhatScoringTakes() {
        SampledAuc auc = new SampledAuc(new Oracle(Labels.BINARY, MILLI), () -> now);
        PulledBatch large = batch(100_000);
        auc.beforeTraining(large);
        assertThat(scored).isZero();
        auc.beforeTraining(batch(100));
        auc.beforeTraining(large);
        assertThat(scored).as("the first tells nothing").isEqualTo(1);
        auc.beforeTraining(batch(100));
        assertThat(scored).isEqualTo(2);
        auc.beforeTraining(large);
        assertThat(scored).as("would take a second").isEqualTo(2);
        now += 60_000 * MILLI;
        auc.beforeTraining(large);
        assertThat(scored).isEqualTo(3);
    }

    @Test
    void doesNotCountTheFirstScoringWhichIsCold() {
        SampledAuc auc = new SampledAuc(new Oracle(Labels.BINARY, MILLI), () -> now);
        now = 1;
        PulledBatch pulled = batch(128);
        beforeScore = () -> now += 500 * MILLI;
        auc.beforeTraining(pulled);
        beforeScore = () -> {};
        assertThat(auc.spentNanos()).isZero();
        auc.beforeTraining(pulled);
        assertThat(scored).isEqualTo(2);
        assertThat(auc.spentNanos()).isEqualTo(MILLI);
    }

    @Test
    void ranksNowAndThenAndAtTheEnd() {
        SampledAuc auc = new SampledAuc(new Oracle(Labels.BINARY, MILLI), () -> now);
        now = 1;
        auc.beforeTraining(batch(100));
        auc.rank(0, false);
        assertThat(auc.auc()).isEqualTo(1);
        auc.beforeTraining(batch(50));
        int pairs = (int) auc.pairs();
        auc.rank(0, false);
        assertThat((int) auc.pairs()).as("a moment ago it was ranked").isEqualTo(pairs);
        auc.rank(0, true);
        assertThat(auc.pairs()).isGreaterThan(pairs);
    }

    @Test
    void tellsOnlyOfThePassItIsAskedFor() {
        SampledAuc auc = new SampledAuc(new Oracle(Labels.BINARY, MILLI), () -> now);
        now = 1;
        auc.beforeTraining(batch(100, 0));
        auc.rank(0, true);
        assertThat(auc.auc()).isEqualTo(1);
        assertThat(auc.rows()).isEqualTo(100);
        auc.rank(1, true);
        assertThat(auc.auc()).as("nothing of this pass was scored").isNaN();
        assertThat(auc.rows()).isZero();
        assertThat(auc.pairs()).isZero();
        auc.beforeTraining(batch(30, 2));
        auc.rank(2, true);
        assertThat(auc.auc()).isEqualTo(1);
        assertThat(auc.rows()).isEqualTo(30);
    }

    @Test
    void hasNoneOfOtherLabels() {
        for (Labels labels : List.of(Labels.REAL, Labels.COUNT, Labels.classes(3))) {
            SampledAuc auc = new SampledAuc(new Oracle(labels, MILLI), () -> now);
            auc.beforeTraining(batch(10));
            auc.rank(0, true);
            assertThat(auc.auc()).isNaN();
            assertThat(auc.rows()).isZero();
        }
        assertThat(scored).isZero();
    }
}
