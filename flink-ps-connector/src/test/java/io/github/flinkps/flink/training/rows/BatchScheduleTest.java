package io.github.flinkps.flink.training.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.TrainingException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchScheduleTest {
    @TempDir private Path folder;

    private BatchSchedule schedule(int batchSize, int epochs, long seed, int worker) {
        return schedule(batchSize, epochs, seed, worker, Long.MAX_VALUE);
    }

    private BatchSchedule schedule(int batchSize, int epochs, long seed, int worker, long memory) {
        return schedule(BatchGrowth.none(batchSize), epochs, seed, worker, memory);
    }

    private BatchSchedule schedule(
            BatchGrowth growth, int epochs, long seed, int worker, long memory) {
        return new BatchSchedule(
                        new BatchAssembler(growth, true),
                        epochs > 1 ? new SpillingRowCache(memory, folder) : null,
                        epochs,
                        seed,
                        worker)
                .withSavedCache(new SavedCache(folder.resolve("saved").toString()));
    }

    private static List<PlannedBatch> drain(BatchSchedule schedule) throws TrainingException {
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
    void rowsComeInOrderWhateverTheBatchesTheyCameIn() throws Exception {
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
    void laterPassesHoldTheSameMiniBatchesInAnotherOrder() throws Exception {
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

    /** Each row trains or validates, in all passes, whether rows come in batches or one by one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRowThatValidatesDoesNotTrain(boolean oneByOne) throws Exception {
        long seed = System.nanoTime();
        int rows = 300;
        ValidationRows validation =
                new ValidationRows(.4, seed, 0, 16, new SpillingRowCache(1 << 20, folder));
        try (BatchSchedule schedule = schedule(10, 2, seed, 0).withValidation(validation)) {
            RowBatchBuilder builder = new RowBatchBuilder();
            for (int row = 0; row < rows; row++) {
                (oneByOne ? schedule.open() : builder).add(row % 7).endRow(row);
                if (oneByOne) {
                    schedule.appended(1);
                }
            }
            if (!oneByOne) {
                schedule.add(builder.position(3, 0).build());
            }
            schedule.endOfInput();
            for (int epoch = 0; epoch < 2; epoch++) {
                List<PlannedBatch> all = new ArrayList<>(drain(schedule));
                for (int i = 0; i < validation.batches(); i++) {
                    all.add(new PlannedBatch(validation.batch(i), epoch, i));
                }
                float[] labels = labels(all);
                Arrays.sort(labels);
                float[] each = new float[rows];
                for (int row = 0; row < rows; row++) {
                    each[row] = row;
                }
                assertThat(labels).as("seed %d, pass %d", seed, epoch).isEqualTo(each);
                assertThat(validation.rows()).as("seed %d", seed).isBetween(60L, 180L);
                schedule.resume(epoch == 1);
            }
        }
    }

    /** A row and all that belongs to it, as text. */
    private static List<String> rows(PlannedBatch planned) {
        MiniBatch batch = planned.batch();
        RowBatch rows = batch.rows;
        List<String> all = new ArrayList<>();
        for (int row = batch.from; row < batch.to; row++) {
            int from = rows.rowStart(row);
            int to = rows.rowStart(row + 1);
            all.add(
                    rows.labels()[row]
                            + " "
                            + Arrays.toString(Arrays.copyOfRange(rows.keys(), from, to)));
        }
        return all;
    }

    private List<List<String>> passes(Shuffle shuffle, long memory, long window, long seed)
            throws Exception {
        try (BatchSchedule schedule = schedule(10, 3, seed, 1, memory)) {
            if (shuffle == Shuffle.ROWS) {
                schedule.withShuffledRows(window);
            }
            for (int i = 0; i < 9; i++) {
                schedule.add(TestingRows.batch(i, 55, 1000));
            }
            schedule.endOfInput();
            List<PlannedBatch> all = drain(schedule);
            assertThat(schedule.exhausted()).isTrue();
            assertThat(all).hasSize(150);
            List<List<String>> passes = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                assertThat(all.get(i).epoch()).isEqualTo(i / 50);
                assertThat(all.get(i).number()).isEqualTo(i % 50);
                passes.add(rows(all.get(i)));
            }
            assertThat(passes.stream().mapToInt(List::size).filter(n -> n == 5).count())
                    .isEqualTo(3);
            assertThat(passes.stream().mapToInt(List::size).sum()).isEqualTo(3 * 495);
            return passes;
        } finally {
            assertThat(folder).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @EnumSource(Shuffle.class)
    void whatIsKeptInFilesComesInTheSameOrder(Shuffle shuffle) throws Exception {
        for (long window : new long[] {1, 5_000, 1 << 20}) {
            List<List<String>> all = passes(shuffle, Long.MAX_VALUE, window, 5);
            for (long memory : new long[] {0, 3_000, 10_000}) {
                assertThat(passes(shuffle, memory, window, 5)).isEqualTo(all);
            }
            assertThat(passes(shuffle, 3_000, window, 6)).isNotEqualTo(all);
        }
    }

    @Test
    void rowsAreDealtIntoNewMiniBatches() throws Exception {
        List<List<String>> all = passes(Shuffle.ROWS, 3_000, 1 << 20, 5);
        List<List<String>> passes = new ArrayList<>();
        List<List<List<String>>> groups = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            List<List<String>> pass = all.subList(50 * epoch, 50 * epoch + 50);
            passes.add(pass.stream().flatMap(List::stream).toList());
            groups.add(pass.stream().map(each -> each.stream().sorted().toList()).toList());
        }
        for (int epoch = 1; epoch < 3; epoch++) {
            assertThat(passes.get(epoch))
                    .containsExactlyInAnyOrderElementsOf(passes.get(0))
                    .isNotEqualTo(passes.get(0));
            assertThat(groups.get(epoch)).doesNotContainAnyElementsOf(groups.get(0));
        }
        assertThat(passes.get(2)).isNotEqualTo(passes.get(1));
        // within a window of one mini-batch rows stay with those they came with
        List<List<String>> narrow = passes(Shuffle.ROWS, 3_000, 1, 5);
        assertThat(narrow.get(70)).isSubsetOf(passes.get(0));
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
    void withoutRowsNothingIsLeftToDo() throws Exception {
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
        BatchAssembler assembler = new BatchAssembler(BatchGrowth.none(10), false);
        assembler.add(TestingRows.batch(3, 25, 20));
        assembler.add(TestingRows.batch(4, 5, 20));
        List<String> places = new ArrayList<>();
        MiniBatch next;
        while ((next = assembler.poll()) != null) {
            places.add(next.rows.block() + ":" + next.from + "-" + next.to);
        }
        assertThat(places).containsExactly("3:0-10", "3:10-20", "3:20-25", "4:0-5");
    }

    /** Feeds rows and takes mini-batches as drawn; at a step another schedule goes on. */
    private List<String> run(
            long seed, BatchGrowth growth, int epochs, Shuffle shuffle, int restoredAt)
            throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        RowBatch rows = TestingRows.batch(1, 400, 20);
        BatchSchedule schedule = schedule(growth, epochs, seed, 1, 8_000);
        schedule = shuffle == Shuffle.ROWS ? schedule.withShuffledRows(4_000) : schedule;
        List<String> trained = new ArrayList<>();
        ArrayDeque<PlannedBatch> ahead = new ArrayDeque<>();
        int at = 0;
        boolean ended = false;
        for (int step = 0; !schedule.exhausted() || !ahead.isEmpty(); step++) {
            if (step == restoredAt) {
                ScheduleState state = WrittenStates.written(schedule.save(List.copyOf(ahead)));
                schedule.close();
                ahead.clear();
                schedule = schedule(growth, epochs, seed, 1, 8_000);
                schedule = shuffle == Shuffle.ROWS ? schedule.withShuffledRows(4_000) : schedule;
                schedule.restore(state);
                if (ended) {
                    schedule.endOfInput();
                }
            }
            switch (random.nextInt(3)) {
                case 0 -> {
                    int to = Math.min(rows.rows(), at + random.nextInt(40));
                    if (!ended) {
                        schedule.add(rows.slice(at, to));
                    }
                    at = to;
                    if (at == rows.rows() && !ended) {
                        ended = true;
                        schedule.endOfInput();
                    }
                }
                case 1 -> {
                    PlannedBatch next = ahead.size() < 4 ? schedule.next() : null;
                    if (next != null) {
                        ahead.add(next);
                    }
                }
                default -> {
                    PlannedBatch oldest = ahead.poll();
                    if (oldest != null) {
                        trained.add(
                                oldest.epoch()
                                        + " "
                                        + oldest.number()
                                        + Arrays.toString(labels(List.of(oldest))));
                    }
                }
            }
        }
        schedule.close();
        return trained;
    }

    @ParameterizedTest
    @CsvSource({
        "13,13,31,1,BATCHES",
        "13,13,31,3,BATCHES",
        "13,13,31,3,ROWS",
        "1,8,228,1,BATCHES",
        "1,8,228,3,BATCHES"
    })
    void goesOnAfterARestoreAsIfNothingHadHappened(
            int rows, int most, int batches, int epochs, Shuffle shuffle) throws Exception {
        long seed = System.nanoTime();
        BatchGrowth growth = new BatchGrowth(rows, most);
        List<String> calm = run(seed, growth, epochs, shuffle, -1);
        assertThat(calm).hasSize(batches * epochs);
        SplittableRandom random = new SplittableRandom(~seed);
        for (int i = 0; i < 30; i++) {
            int at = random.nextInt(3 * batches * epochs);
            assertThat(run(seed, growth, epochs, shuffle, at))
                    .as("seed %d, at %d", seed, at)
                    .isEqualTo(calm);
        }
    }

    private static RowBatch numbered(int from, int to) {
        RowBatchBuilder rows = new RowBatchBuilder();
        for (int number = from; number < to; number++) {
            rows.add(number).endRow(0);
        }
        return rows.build();
    }

    /** Lets a worker train all, or for some steps, after which some have been given out. */
    private static ScheduleState some(
            BatchSchedule schedule, boolean all, SplittableRandom random, int[][] trained)
            throws Exception {
        ArrayDeque<PlannedBatch> ahead = new ArrayDeque<>();
        int steps = random.nextInt(60);
        for (int step = 0; all ? !schedule.exhausted() : step < steps; step++) {
            PlannedBatch next = schedule.next();
            if (next != null) {
                ahead.add(next);
            }
            if (ahead.size() > 3 || next == null && !ahead.isEmpty()) {
                train(ahead.remove(), trained);
            }
        }
        while (all && !ahead.isEmpty()) {
            train(ahead.remove(), trained);
        }
        return WrittenStates.written(schedule.save(List.copyOf(ahead)));
    }

    private static void train(PlannedBatch planned, int[][] trained) {
        MiniBatch batch = planned.batch();
        for (int row = batch.from; row < batch.to; row++) {
            trained[planned.epoch()][(int) batch.rows.keys()[batch.rows.rowStart(row)]]++;
        }
    }

    /** Deals list state out to another number of subtasks, as Flink does. */
    private static <T> List<T> dealt(List<List<T>> all, int worker, int workers) {
        List<T> elements = all.stream().flatMap(List::stream).toList();
        List<T> own = new ArrayList<>();
        for (int i = worker; i < elements.size(); i += workers) {
            own.add(elements.get(i));
        }
        return own;
    }

    private static ScheduleState merged(List<ScheduleState> from, int worker, int workers) {
        return new ScheduleState(
                0,
                0,
                from.stream().mapToLong(ScheduleState::seen).max().orElse(0),
                dealt(from.stream().map(ScheduleState::waiting).toList(), worker, workers),
                false,
                dealt(from.stream().map(ScheduleState::cached).toList(), worker, workers));
    }

    @ParameterizedTest
    @EnumSource(Shuffle.class)
    void workersThatBecomeMoreOrFewerTrainEachRowOnceAPass(Shuffle shuffle) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int rescaled = 0;
        for (int round = 0; round < 60; round++) {
            int epochs = 2 + random.nextInt(3);
            int rows = 1 + random.nextInt(700);
            int[][] trained = new int[epochs][rows];
            int at = 0;
            boolean ended = false;
            List<ScheduleState> states = List.of(ScheduleState.EMPTY);
            for (int stage = 0; stage < 4; stage++) {
                List<ScheduleState> from = states;
                boolean begun =
                        from.stream().anyMatch(s -> s.cached().stream().anyMatch(c -> c.begun()));
                int workers = begun ? from.size() : 1 + random.nextInt(4);
                boolean same = workers == from.size();
                rescaled += same ? 0 : 1;
                ended |= stage == 3 || random.nextInt(2) == 0;
                List<ScheduleState> now = new ArrayList<>();
                for (int worker = 0; worker < workers; worker++) {
                    int to = at + random.nextInt(rows - at + 1);
                    to = ended && worker == workers - 1 ? rows : to;
                    try (BatchSchedule schedule = schedule(13, epochs, seed, worker, 3_000)) {
                        if (shuffle == Shuffle.ROWS) {
                            schedule.withShuffledRows(4_000);
                        }
                        schedule.restore(same ? from.get(worker) : merged(from, worker, workers));
                        schedule.add(numbered(at, to));
                        at = to;
                        if (ended) {
                            schedule.endOfInput();
                        }
                        now.add(some(schedule, stage == 3, random, trained));
                    }
                }
                states = now;
            }
            for (int[] pass : trained) {
                assertThat(pass).as("seed %d, round %d", seed, round).containsOnly(1);
            }
        }
        assertThat(rescaled).isPositive();
    }
}
