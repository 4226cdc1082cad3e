package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.server.ServerConfig.RequestLimits;
import io.github.flinkps.server.store.Partition;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.FloatBuffer;
import java.util.Comparator;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ModelEffectsTest {
    private static final KeyHash HASH = KeyHash.of(64);

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final TableSpec spec = TableSpec.sparse("t", 3, UpdateSpec.of("add")).withPartitions(1);

    @AfterEach
    void everythingIsReleased() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private TestingEntries entries(ConsistencySpec consistency, int workers) {
        return new TestingEntries(spec, consistency, workers, allocator);
    }

    private static Partition partition(TestingEntries entries) {
        return entries.model().table(1).partition(0);
    }

    private static float[] read(TestingEntries entries, long... keys) {
        long[] hashes = keys.clone();
        KeyRows.hash(HASH, hashes, hashes.length);
        int[] rows = new int[hashes.length];
        partition(entries).resolve(hashes, 0, hashes.length, rows);
        FloatBuffer out = FloatBuffer.allocate(3 * hashes.length);
        partition(entries).gather(hashes, rows, 0, hashes.length, out);
        return out.array();
    }

    /** Two workers' mini-batches are one step of the schedule, together or one after the other. */
    @Test
    void schedulesReadRoundsWhateverTheConsistency() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        long[] row = {7};
        for (ConsistencySpec consistency :
                new ConsistencySpec[] {
                    ConsistencySpec.bsp(), ConsistencySpec.ssp(1), ConsistencySpec.asp()
                }) {
            TestingEntries entries = new TestingEntries(scheduled, consistency, 2, allocator);
            for (int clock = 1; clock <= 3; clock++) {
                for (int worker = 0; worker < 2; worker++) {
                    entries.push(worker, row, new float[] {1, 2, -4});
                    entries.clock(worker, clock, 1);
                }
            }
            // the mean of a round under BSP, a step for each push else
            float sum = (1 + .5f + .25f) * (consistency.equals(ConsistencySpec.bsp()) ? 1 : 2);
            assertThat(read(entries, row)).containsExactly(-sum, -2 * sum, 4 * sum);
        }
    }

    /** An attempt that keeps the rows goes on with the next round, whoever trained those before. */
    @Test
    void schedulesGoOnWithTheNextRoundOfAnAttemptBefore() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        TestingEntries entries = new TestingEntries(scheduled, ConsistencySpec.asp(), 4, allocator);
        long[] row = {7};
        float sum = 0;
        for (int worker = 0; worker < 4; worker++) {
            entries.push(worker, row, new float[] {1, 2, -4});
            entries.clock(worker, 1, 1);
            sum += 1;
        }
        entries.begin(ConsistencySpec.ssp(1), 1);
        entries.push(0, row, new float[] {1, 2, -4});
        entries.clock(0, 1, 1);
        sum += .5f;
        entries.begin(ConsistencySpec.bsp(), 2);
        entries.push(0, row, new float[] {1, 2, -4});
        entries.clock(0, 1, 1);
        entries.clock(1, 1, 0);
        sum += .25f;
        entries.begin(ConsistencySpec.asp(), 2);
        entries.push(1, row, new float[] {1, 2, -4});
        sum += .125f;
        assertThat(read(entries, row)).containsExactly(-sum, -2 * sum, 4 * sum);
    }

    /** Beside several workers too it is a step and a round more. */
    @Test
    void aPlainPushIsARoundOfItsOwnWhateverTheWorkers() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        TestingEntries entries = new TestingEntries(scheduled, ConsistencySpec.asp(), 2, allocator);
        OwnerTable table = entries.model().table(1);
        KeyRows rows = KeyRows.of(table, new long[] {HASH.hash(7)});
        rows.prepare(true);
        FloatBuffer gradients = FloatBuffer.wrap(new float[] {1, 2, -4});
        entries.clock(0, 1, 1);
        entries.clock(1, 1, 1);
        table.log(0).pushNow(new Push(rows, Unpooled.EMPTY_BUFFER, gradients, 1), 0);
        assertThat(read(entries, 7)).as("of round 2").containsExactly(-.5f, -1, 2);
        entries.push(0, new long[] {7}, new float[] {1, 2, -4});
        assertThat(read(entries, 7)).as("and of round 3").containsExactly(-.75f, -1.5f, 3);
    }

    /** A worker ahead pushes before the one behind it; rounds are applied in their order. */
    @Test
    void roundsAreAppliedByClockNotByArrival() {
        TestingEntries entries = entries(ConsistencySpec.bsp(), 2);
        long[] row = {7};
        entries.clock(0, 1, 1); // nothing in round 0
        entries.push(0, row, new float[] {10, 10, 10});
        entries.push(1, row, new float[] {1, 1, 1}); // round 0
        entries.clock(1, 1, 1);
        assertThat(read(entries, row)).containsExactly(1, 1, 1);
        assertThat(partition(entries).step()).isEqualTo(1);
        entries.clock(0, 2, 1);
        assertThat(read(entries, row)).containsExactly(1, 1, 1);
        entries.flag(1, ExchangeHeader.DEREGISTER, 0);
        assertThat(read(entries, row)).containsExactly(11, 11, 11);
        entries.push(0, row, new float[] {5, 5, 5});
        entries.effects().rounds().clear();
        entries.clock(0, 3, 1);
        assertThat(read(entries, row)).containsExactly(11, 11, 11);
    }

    /** The mean of a round divides by the weights of all its mini-batches. */
    @Test
    void aRoundDividesByMiniBatchesThatPushedNothingHere() {
        TableSpec mean = TableSpec.sparse("t", 3, UpdateSpec.sgd(1)).withPartitions(4);
        TestingEntries entries = new TestingEntries(mean, ConsistencySpec.bsp(), 3, allocator);
        entries.push(0, new long[] {7}, new float[] {12, 24, 36});
        entries.clock(0, 1, 1);
        entries.clock(1, 1, 5);
        entries.clock(2, 1, 6);
        long[] hash = {HASH.hash(7)};
        Partition touched = entries.model().table(1).partition(mean.partitionOfHash(hash[0]));
        int[] row = new int[1];
        touched.resolve(hash, 0, 1, row);
        FloatBuffer out = FloatBuffer.allocate(3);
        touched.gather(hash, row, 0, 1, out);
        assertThat(out.array()).containsExactly(-1, -2, -3);
        for (int p = 0; p < 4; p++) {
            assertThat(entries.model().table(1).partition(p).step()).isEqualTo(1);
        }
    }

    /**
     * A mini-batch may bring several pushes, and has the weight its clock says; pushes alone, whose
     * mini-batch has not ended when the round is ended, have their own.
     */
    @Test
    void aMiniBatchOfSeveralPushesHasOneWeight() {
        TableSpec mean = TableSpec.sparse("t", 3, UpdateSpec.sgd(1)).withPartitions(1);
        long[] row = {7};
        for (int workers = 1; workers <= 2; workers++) {
            TestingEntries entries =
                    new TestingEntries(mean, ConsistencySpec.bsp(), workers, allocator);
            for (int clock = 1; clock <= 2; clock++) {
                entries.push(0, row, new float[] {1, 2, 3});
                entries.push(0, row, new float[] {3, 2, 1});
                entries.clock(0, clock, 8);
                if (workers == 2) {
                    entries.clock(1, clock, 0);
                }
            }
            assertThat(read(entries, row)).containsExactly(-1, -1, -1);
            entries.push(0, row, new float[] {1, 2, 3});
            entries.push(0, row, new float[] {3, 2, 1});
            entries.effects().endRounds();
            assertThat(entries.effects().lostRound()).isNull();
            assertThat(read(entries, row)).containsExactly(-3, -3, -3);
        }
    }

    /** Nobody trusts what a client says: its mini-batch is refused, and counts for nothing. */
    @Test
    void aWeightThatIsNoneIsRefusedAndSpoilsNoRound() {
        TableSpec mean = TableSpec.sparse("t", 3, UpdateSpec.sgd(1)).withPartitions(1);
        for (double weight : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
            TestingEntries entries = new TestingEntries(mean, ConsistencySpec.bsp(), 2, allocator);
            entries.push(0, new long[] {7}, new float[] {2, 4, 6});
            entries.clock(0, 1, 2);
            LogEntry refused = entries.clock(1, 1, weight);
            assertThat(refused.refusal().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
            assertThat(read(entries, 7)).containsExactly(-1, -2, -3);
        }
    }

    /** Pushes of rounds that are over do not hold back those to come; those of open ones do. */
    @Test
    void onlyPushesOfOpenRoundsAreLimited() {
        ServerConfig defaults = ServerConfig.defaults();
        RequestLimits limits = defaults.requests();
        int limit = 4 << 20;
        ServerConfig config =
                defaults.withRequests(
                        new RequestLimits(limits.maxFrameBytes(), limit, limits.maxParked()));
        TestingEntries entries =
                new TestingEntries(spec, ConsistencySpec.bsp(), 2, allocator, config);
        ModelEffects effects = entries.effects();
        long[] keys = some(LongStream.range(0, 8192).toArray(), new Random(1), true);
        float[] gradients = new float[3 * keys.length]; // 160 KiB with their keys
        LogEntry push = null;
        for (int clock = 1; clock <= 40; clock++) {
            push = entries.push(0, keys, gradients);
            entries.clock(0, clock, 1);
            effects.budget().check(effects.clocks(), 0, push); // one or two rounds ahead
            entries.clock(1, clock - 1, 1);
        }
        int kept = 1;
        while (!throttled(effects, push)) {
            entries.push(0, keys, gradients);
            entries.clock(0, 40 + kept, 1);
            kept++;
        }
        long roundBytes = push.bytes() + 128 + 2 * Double.BYTES;
        assertThat(kept).isEqualTo((int) (limit / roundBytes) + 1);
        effects.rounds().clear();
    }

    private static boolean throttled(ModelEffects effects, LogEntry next) {
        try {
            effects.budget().check(effects.clocks(), 0, next);
            return false;
        } catch (PsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.THROTTLED);
            return true;
        }
    }

    /** A push from outside the workers is a step, also of the schedule. */
    @Test
    void aPlainPushIsAStepOfItsOwn() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        TestingEntries entries = new TestingEntries(scheduled, ConsistencySpec.asp(), 1, allocator);
        OwnerTable table = entries.model().table(1);
        KeyRows rows = KeyRows.of(table, new long[] {HASH.hash(7)});
        FloatBuffer gradients = FloatBuffer.wrap(new float[] {1, 2, -4});
        rows.prepare(true);
        for (int step = 0; step < 3; step++) {
            table.log(0).pushNow(new Push(rows, Unpooled.EMPTY_BUFFER, gradients, 1), 0);
        }
        assertThat(read(entries, 7)).containsExactly(-1.75f, -3.5f, 7);
        assertThat(partition(entries).step()).isEqualTo(3);
    }

    /** A plain push counts before the round that is open. */
    @Test
    void aPlainPushBetweenRoundsIsAStepOfItsOwn() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        TestingEntries entries = new TestingEntries(scheduled, ConsistencySpec.bsp(), 1, allocator);
        OwnerTable table = entries.model().table(1);
        KeyRows rows = KeyRows.of(table, new long[] {HASH.hash(7)});
        rows.prepare(true);
        FloatBuffer gradients = FloatBuffer.wrap(new float[] {8, 16, 24});
        entries.clock(0, 1, 1);
        entries.push(0, new long[] {7}, new float[] {8, 16, 24});
        table.log(0).pushNow(new Push(rows, Unpooled.EMPTY_BUFFER, gradients, 1), 0);
        assertThat(read(entries, 7)).as("at the rate of step 2").containsExactly(-4, -8, -12);
        entries.clock(0, 2, 1);
        assertThat(read(entries, 7)).as("and of step 3").containsExactly(-6, -12, -18);
        assertThat(partition(entries).step()).isEqualTo(3);
    }

    /** A model that is loaded while an attempt trains goes on behind its steps. */
    @Test
    void roundsComeBehindTheStepsThatAreLoaded() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        TestingEntries entries = new TestingEntries(scheduled, ConsistencySpec.bsp(), 1, allocator);
        entries.clock(0, 1, 1);
        entries.model().table(1).log(0).loaded(StepCounts.ofRounds(3));
        entries.push(0, new long[] {7}, new float[] {8, 16, 24});
        entries.clock(0, 2, 1);
        assertThat(read(entries, 7)).containsExactly(-1, -2, -3); // at the rate of step 4
        assertThat(partition(entries).step()).isEqualTo(4);
    }

    /** Its rounds end with the same steps as in the model that was saved. */
    @Test
    void aModelSavedInTheMiddleOfARoundGoesOnThere() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        TestingEntries saved = new TestingEntries(scheduled, ConsistencySpec.asp(), 4, allocator);
        TestingEntries loaded = new TestingEntries(scheduled, ConsistencySpec.asp(), 4, allocator);
        long[] row = {7};
        float[] gradient = {1, 2, -4};
        for (int step = 0; step < 7; step++) {
            saved.push(step % 4, row, gradient);
            saved.clock(step % 4, 1 + step / 4, 1);
        }
        StepCounts counts = saved.model().table(1).log(0).counts();
        assertThat(counts).isEqualTo(new StepCounts(7, 1, 3));
        loaded.model().table(1).log(0).loaded(counts);
        float[] before = read(saved, row);
        for (int step = 0; step < 9; step++) {
            saved.push((step + 3) % 4, row, gradient);
            saved.clock((step + 3) % 4, 2 + (step + 3) / 4, 1);
            loaded.push(step % 4, row, gradient);
            loaded.clock(step % 4, 1 + step / 4, 1);
            float[] since = read(saved, row);
            for (int i = 0; i < since.length; i++) {
                since[i] -= before[i];
            }
            assertThat(read(loaded, row)).as("step %d", step).isEqualTo(since);
        }
    }

    /** A partition that nothing has touched counts them too: it catches up when it is touched. */
    @Test
    void partitionsCountTheMiniBatchesThatDidNotTouchThem() {
        TableSpec table = TableSpec.sparse("t", 3, UpdateSpec.of("add")).withPartitions(4);
        TestingEntries entries = new TestingEntries(table, ConsistencySpec.asp(), 2, allocator);
        for (int clock = 1; clock <= 5; clock++) {
            entries.clock(0, clock, 1);
            entries.clock(1, clock, 1);
        }
        assertThat(entries.model().table(1).partition(3).step()).isEqualTo(10);
        entries.begin(ConsistencySpec.bsp(), 1);
        entries.clock(0, 1, 1);
        assertThat(entries.model().table(1).partition(3).step()).isEqualTo(11);
        assertThat(entries.model().table(1).partition(0).step()).isEqualTo(11);
    }

    /** An attempt keeps the rows, and its workers begin at the clocks of a cut. */
    @Test
    void rowsThatAreKeptHaveTakenNoStepMore() {
        TestingEntries entries = entries(ConsistencySpec.bsp(), 1);
        for (int clock = 1; clock <= 3; clock++) {
            entries.clock(0, clock, 1);
        }
        entries.begin(ConsistencySpec.bsp(), 1);
        entries.effects().lose(new IllegalStateException("a round"));
        entries.model().beginAt(WorkerClocks.of(new long[] {2}, new long[] {-1}));
        assertThat(partition(entries).step()).isEqualTo(3);
        assertThat(entries.effects().lostRound()).isNotNull();
        entries.clock(0, 3, 1);
        assertThat(partition(entries).step()).isEqualTo(4);
    }

    /**
     * A row that is pushed without a pull before is born in the round it is pushed for: it makes no
     * difference whether the push came while the round before was open.
     */
    @Test
    void aRowIsRegularisedFromTheRoundThatTrainsItFirst() {
        UpdateSpec decaying = UpdateSpec.sgd(.5).with("l2", .25).with("l1", .01);
        TableSpec table =
                TableSpec.sparse("t", 3, decaying)
                        .withPartitions(1)
                        .withInitializer(InitializerSpec.normal(0, .5f), 3);
        long[] key = {7};
        float[] first = new float[] {8, 4, 2};
        TestingEntries expected = new TestingEntries(table, ConsistencySpec.bsp(), 2, allocator);
        TestingEntries early = new TestingEntries(table, ConsistencySpec.bsp(), 2, allocator);
        for (int clock = 1; clock <= 3; clock++) {
            expected.clock(0, clock, 1);
            expected.clock(1, clock, 1);
            early.clock(0, clock, 1);
        }
        float[] unborn = read(expected, key);
        early.push(0, key, first);
        for (int clock = 1; clock <= 3; clock++) {
            assertThat(read(early, key)).isEqualTo(unborn);
            early.clock(1, clock, 1);
        }
        expected.push(0, key, first);
        for (TestingEntries entries : new TestingEntries[] {expected, early}) {
            entries.clock(0, 4, 1);
            entries.clock(1, 4, 1);
        }
        assertThat(read(early, key)).isEqualTo(read(expected, key)).isNotEqualTo(unborn);
    }

    @Test
    void anIdleWorkerMustRejoinAndOneThatHasFinishedMayNoMore() {
        TestingEntries entries = entries(ConsistencySpec.ssp(1), 2);
        entries.flag(0, ExchangeHeader.IDLE, 0);
        LogEntry refused = entries.clock(0, 1, 1);
        assertThat(refused.refusal().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(entries.flag(0, ExchangeHeader.REJOIN, 0).refusal()).isNull();
        assertThat(entries.clock(0, 1, 1).refusal()).isNull();
        assertThat(entries.flag(0, ExchangeHeader.DEREGISTER, 0).refusal()).isNull();
        assertThat(entries.push(0, new long[] {7}, new float[3]).refusal()).isNotNull();
    }

    /** The round of such a push would never end. */
    @Test
    void aWorkerThatHasFinishedPushesNothingWithItsEnd() {
        TestingEntries entries = entries(ConsistencySpec.bsp(), 2);
        entries.flag(0, ExchangeHeader.DEREGISTER, 0);
        assertThat(entries.flag(0, ExchangeHeader.DEREGISTER, 0).refusal()).isNull();
        LogEntry refused = entries.pushAndEnd(0, new long[] {7}, new float[3]);
        assertThat(refused.refusal()).hasMessageContaining("has deregistered");
    }

    /** An idle worker stands in no round, so that its push would wait for ever. */
    @Test
    void anIdleWorkerPushesNothingUnderBsp() {
        TestingEntries entries = entries(ConsistencySpec.bsp(), 2);
        long[] row = {7};
        entries.flag(0, ExchangeHeader.IDLE, 0);
        LogEntry refused = entries.push(0, row, new float[] {1, 1, 1});
        assertThat(refused.refusal().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(refused.refusal()).hasMessageContaining("rejoin");
        entries.clock(1, 1, 1);
        entries.flag(0, ExchangeHeader.REJOIN | ExchangeHeader.CLOCK, 1);
        assertThat(entries.push(0, row, new float[] {2, 2, 2}).refusal()).isNull();
        entries.clock(0, 2, 1);
        entries.clock(1, 2, 1);
        assertThat(read(entries, row)).containsExactly(2, 2, 2);
    }

    @Test
    void aRoundIsTheSumInTheOrderOfWorkersToTheBit() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 50; run++) {
            int workers = 1 + random.nextInt(5);
            TestingEntries entries = entries(ConsistencySpec.bsp(), workers);
            long[] all = random.longs(40).toArray();
            float[][] pushes = new float[2 * workers][];
            long[][] keys = new long[2 * workers][];
            Integer[] turns = new Integer[2 * workers];
            for (int i = 0; i < turns.length; i++) {
                turns[i] = i;
                keys[i] = some(all, random, run % 3 == 0);
                pushes[i] = new float[3 * keys[i].length];
                for (int j = 0; j < pushes[i].length; j++) {
                    pushes[i][j] = (float) random.nextGaussian();
                }
            }
            // Workers in any order; each its two pushes in order.
            java.util.Collections.shuffle(java.util.Arrays.asList(turns), random);
            int[] done = new int[workers];
            for (int turn : turns) {
                int worker = turn / 2;
                int push = 2 * worker + done[worker]++;
                entries.push(worker, keys[push], pushes[push]);
            }
            for (int worker = 0; worker < workers; worker++) {
                entries.clock(worker, 1, 1);
            }
            for (long key : all) {
                float[] sum = null;
                for (int i = 0; i < pushes.length; i++) {
                    for (int j = 0; j < keys[i].length; j++) {
                        if (keys[i][j] == key) {
                            float[] row = new float[3];
                            for (int c = 0; c < 3; c++) {
                                row[c] = (sum == null ? 0 : sum[c]) + pushes[i][3 * j + c];
                            }
                            sum = row;
                        }
                    }
                }
                assertThat(read(entries, key)).isEqualTo(sum == null ? new float[3] : sum);
            }
        }
    }

    private static long[] some(long[] all, Random random, boolean every) {
        TreeSet<Long> chosen =
                new TreeSet<>(Comparator.comparing(HASH::hash, Long::compareUnsigned));
        for (long key : all) {
            if (every || random.nextInt(3) > 0) {
                chosen.add(key);
            }
        }
        return chosen.stream().mapToLong(Long::longValue).toArray();
    }
}
