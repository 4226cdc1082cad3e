package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GeneratedRowsTest {
    private static final GeneratedRows ROWS = new GeneratedRows(20_500, 200, 10, 42);

    private static List<String> read(GeneratedRows rows, RowSelection selection, int readers)
            throws IOException {
        List<String> all = new ArrayList<>();
        GeneratedSource source = new GeneratedSource(rows, selection);
        for (List<BlockSplit> share : source.plan(readers)) {
            for (BlockSplit split : share) {
                all.addAll(Rows.readAll(source.open(split)));
            }
        }
        return all;
    }

    @Test
    void areTheSameWhateverTheReaders() throws IOException {
        List<String> one = read(ROWS, RowSelection.all(), 1);
        assertThat(one).hasSize(20_500);
        List<String> three = read(ROWS, RowSelection.all(), 3);
        assertThat(three.stream().sorted().toList()).isEqualTo(one.stream().sorted().toList());
        assertThat(read(new GeneratedRows(20_500, 200, 10, 43), RowSelection.all(), 1))
                .isNotEqualTo(one);
    }

    @Test
    void splitIntoTwoParts() throws IOException {
        List<String> tests = read(ROWS, RowSelection.test(1, 0.2), 2);
        List<String> trains = read(ROWS, RowSelection.train(1, 0.2), 2);
        assertThat(tests.size() + trains.size()).isEqualTo(20_500);
        assertThat(tests.size()).isBetween(3_800, 4_400);
    }

    @Test
    void haveTheLoglossTheyPromise() {
        RowBatchBuilder builder = new RowBatchBuilder();
        double loss = 0;
        int positives = 0;
        for (long row = 0; row < ROWS.rows(); row++) {
            double p = ROWS.generate(row, builder);
            float label = builder.build().labels()[0];
            loss -= Math.log(label == 1 ? p : 1 - p);
            positives += (int) label;
        }
        double best = ROWS.bestLogloss(RowSelection.all());
        assertThat(loss / ROWS.rows()).isCloseTo(best, within(0.015));
        assertThat(best).isBetween(0.25, 0.55);
        assertThat((double) positives / ROWS.rows()).isBetween(0.2, 0.6);
    }

    @Test
    void haveTheProbabilityOfTheirModel() {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (long row = 0; row < 100; row++) {
            double p = ROWS.generate(row, builder);
            RowBatch batch = builder.build();
            double z = ROWS.bias();
            for (long key : batch.keys()) {
                z += ROWS.weight(key);
            }
            assertThat(batch.keys()).hasSize(10).doesNotHaveDuplicates();
            assertThat(1 / (1 + Math.exp(-z))).isCloseTo(p, within(1e-12));
        }
    }

    @Test
    void refuseWhatCannotBe() {
        assertThatThrownBy(() -> new GeneratedRows(0, 10, 2, 1)).hasMessageContaining("rows");
        assertThatThrownBy(() -> new GeneratedRows(1, 10, 6, 1)).hasMessageContaining("entries");
    }
}
