package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.metrics.BinaryMetrics;
import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parser, model and metrics together, on real files and without servers. */
class RealRowsTest {
    private static List<RowBatch> read(String name) throws IOException {
        TextFile file = Rows.file(RealData.path(name));
        BlockSplit split = new BlockSplit("s", file, 1 << 18, 1, 0, -1, 0);
        List<RowBatch> batches = new ArrayList<>();
        RowFormat format = LibsvmFormat.of(Labels.BINARY);
        try (TextBlockReader reader =
                new TextBlockReader(split, format, RowSelection.all(), OnBadRow.FAIL)) {
            for (PositionedBatch next = reader.next(); next != null; next = reader.next()) {
                batches.add(next.batch());
            }
        }
        return batches;
    }

    private static int rows(List<RowBatch> batches) {
        return batches.stream().mapToInt(RowBatch::rows).sum();
    }

    @Test
    void haveTheSizesTheyArePublishedWith() throws IOException {
        List<RowBatch> train = read("a9a/a9a.libsvm");
        assertThat(rows(train)).isEqualTo(32_561);
        assertThat(train).allMatch(batch -> batch.values() == null);
        long largest =
                train.stream().flatMapToLong(b -> Arrays.stream(b.keys())).max().orElseThrow();
        assertThat(largest).isEqualTo(123);
        double positives = train.stream().mapToDouble(b -> sum(b.labels())).sum();
        assertThat(positives / 32_561).isBetween(0.24, 0.242);
        assertThat(rows(read("a9a/a9a.t.libsvm"))).isEqualTo(16_281);
        assertThat(rows(read("agaricus/agaricus.txt.train"))).isEqualTo(6_513);
        assertThat(rows(read("agaricus/agaricus.txt.test"))).isEqualTo(1_611);
    }

    private static double sum(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        return sum;
    }

    @Test
    void teachTheModelAsMuchAsOtherSolvers() throws IOException {
        Adagrad model = new Adagrad(200);
        List<RowBatch> train = read("a9a/a9a.libsvm");
        for (int pass = 0; pass < 5; pass++) {
            for (RowBatch batch : train) {
                for (int from = 0; from < batch.rows(); from += 64) {
                    model.step(batch, from, Math.min(batch.rows(), from + 64));
                }
            }
        }
        BinaryMetrics metrics = new BinaryMetrics();
        for (RowBatch batch : read("a9a/a9a.t.libsvm")) {
            float[] scores = new float[batch.rows()];
            model.touch(batch, 0, batch.rows());
            model.regression.score(batch, 0, batch.rows(), model, scores, 0);
            metrics.addAll(scores, batch.labels(), batch.weights(), 0, batch.rows());
        }
        assertThat(metrics.rows()).isEqualTo(16_281);
        assertThat(metrics.accuracy()).isGreaterThanOrEqualTo(0.848);
        assertThat(metrics.logloss()).isLessThanOrEqualTo(0.326);
        assertThat(metrics.auc()).isBetween(0.900, 0.905);
    }

    /** All parameters in one place, with the default optimizer: the keys are the positions. */
    private static final class Adagrad implements KeyCollector, Parameters {
        private final LogisticRegression regression = LogisticRegression.builder().build();
        private final float[][] values;
        private final float[][] gradients;
        private final float[][] squares;
        private int[] positions;

        Adagrad(int features) {
            values = new float[][] {new float[features], new float[1]};
            gradients = new float[][] {new float[features], new float[1]};
            squares = new float[][] {new float[features], new float[1]};
        }

        void touch(RowBatch rows, int from, int to) {
            regression.touch(rows, from, to, this);
        }

        void step(RowBatch rows, int from, int to) {
            touch(rows, from, to);
            for (float[] gradient : gradients) {
                Arrays.fill(gradient, 0);
            }
            Gradients target = table -> gradients[table];
            regression.gradients(rows, from, to, this, target);
            for (int table = 0; table < 2; table++) {
                for (int i = 0; i < values[table].length; i++) {
                    float g = gradients[table][i];
                    if (g != 0) {
                        squares[table][i] += g * g;
                        values[table][i] -= (float) (0.1 * g / Math.sqrt(squares[table][i]));
                    }
                }
            }
        }

        @Override
        public void add(int table, long[] keys, int from, int to) {
            positions = new int[to - from];
            for (int i = from; i < to; i++) {
                positions[i - from] = (int) keys[i];
            }
        }

        @Override
        public long seed() {
            return 7;
        }

        @Override
        public void add(int table, long key) {
            throw new AssertionError("keys come in one list");
        }

        @Override
        public void range(int table, long fromKey, long toKey) {}

        @Override
        public int rows(int table) {
            return values[table].length;
        }

        @Override
        public float[] values(int table) {
            return values[table];
        }

        @Override
        public int[] positions(int table) {
            return table == 0 ? positions : null;
        }
    }
}
