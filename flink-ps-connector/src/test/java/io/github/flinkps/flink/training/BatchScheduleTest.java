package io.github.flinkps.flink.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.testing.TestingRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchScheduleTest {
    private static BatchSchedule schedule(int batchSize, int epochs, long seed, int worker) {
        return new BatchSchedule(
                new BatchAssembler(batchSize, true),
                epochs > 1 ? new HeapRowCache() : null,
                epochs,
                seed,
                worker);
    }

    private static List<PlannedBatch> drain(BatchSchedule schedule) {
        List<PlannedBatch> all = new ArrayList<>();
        PlannedBatch next;
        while ((next = schedule.next()) != null) {
            all.add(next);
        }
        return all;
    }

    private static float[] labels(List<PlannedBatch> batches) {
        float[] labels = new float[batches.stream().mapToInt(each -> each.batch().size()).sum()];
        int at = 0;
        for (PlannedBatch each : batches) {
            MiniBatch batch = each.batch();
            for (int row = batch.from; row < batch.to; row++) {
                labels[at++] = batch.rows.labels()[row];
            }
        }
        return labels;
    }

    @Test
    void rowsComeInOrderWhateverTheBatchesTheyCameIn() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        RowBatch rows = TestingRows.batch(1, 1000, 20);
        BatchSchedule schedule = schedule(32, 1, 0, 0);
        int at = 0;
        while (at < 1000) {
            int to = Math.min(1000, at + random.nextInt(100));
            schedule.add(rows.slice(at, to));
            at = to;
        }
        assertThat(schedule.waitingRows()).as("seed %d", seed).isEqualTo(1000);
        List<PlannedBatch> all = drain(schedule);
        assertThat(all).hasSize(31).allMatch(each -> each.batch().size() == 32);
        assertThat(schedule.exhausted()).isFalse();
        schedule.endOfInput();
        all.addAll(drain(schedule));
        assertThat(schedule.exhausted()).isTrue();
        assertThat(schedule.waitingRows()).isZero();
        assertThat(all.get(31).batch().size()).isEqualTo(8);
        assertThat(labels(all)).as("seed %d", seed).isEqualTo(rows.labels());
    }

    @Test
    void laterPassesHoldTheSameMiniBatchesInAnotherOrder() {
        BatchSchedule schedule = schedule(10, 3, 5, 1);
        schedule.add(TestingRows.batch(1, 95, 20));
        schedule.endOfInput();
        List<PlannedBatch> all = drain(schedule);
        assertThat(all).hasSize(30);
        assertThat(schedule.exhausted()).isTrue();
        List<List<MiniBatch>> passes = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            List<PlannedBatch> pass = all.subList(10 * epoch, 10 * epoch + 10);
            int expected = epoch;
            assertThat(pass).allMatch(each -> each.epoch() == expected);
            passes.add(pass.stream().map(PlannedBatch::batch).toList());
        }
        assertThat(passes.get(1))
                .containsExactlyInAnyOrderElementsOf(passes.get(0))
                .isNotEqualTo(passes.get(0));
        assertThat(passes.get(2))
                .containsExactlyInAnyOrderElementsOf(passes.get(0))
                .isNotEqualTo(passes.get(1));
        schedule.close();
    }

    @Test
    void theOrderDependsOnSeedWorkerAndPassOnly() {
        int[] order = BatchSchedule.order(100, 1, 2, 3);
        assertThat(BatchSchedule.order(100, 1, 2, 3)).isEqualTo(order);
        assertThat(BatchSchedule.order(100, 2, 2, 3)).isNotEqualTo(order);
        assertThat(BatchSchedule.order(100, 1, 3, 3)).isNotEqualTo(order);
        assertThat(BatchSchedule.order(100, 1, 2, 4)).isNotEqualTo(order);
        int[] sorted = order.clone();
        Arrays.sort(sorted);
        assertThat(sorted).isEqualTo(IntStream.range(0, 100).toArray());
    }

    @Test
    void withoutRowsNothingIsLeftToDo() {
        for (int epochs : new int[] {1, 4}) {
            BatchSchedule schedule = schedule(10, epochs, 0, 0);
            assertThat(schedule.exhausted()).isFalse();
            schedule.endOfInput();
            assertThat(schedule.exhausted()).isTrue();
            assertThat(schedule.next()).isNull();
        }
    }

    @Test
    void rowsToScoreKeepTheirPlace() {
        BatchAssembler assembler = new BatchAssembler(10, false);
        assembler.add(TestingRows.batch(3, 25, 20));
        assembler.add(TestingRows.batch(4, 5, 20));
        List<String> places = new ArrayList<>();
        MiniBatch next;
        while ((next = assembler.poll()) != null) {
            places.add(next.rows.block() + ":" + next.from + "-" + next.to);
        }
        assertThat(places).containsExactly("3:0-10", "3:10-20", "3:20-25", "4:0-5");
    }
}
